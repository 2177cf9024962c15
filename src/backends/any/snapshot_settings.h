/* Attrs of the ops of snapshots, as the settings of their specs (data/snapshot.h). */
#ifndef SL_BACKENDS_ANY_SNAPSHOT_SETTINGS_H
#define SL_BACKENDS_ANY_SNAPSHOT_SETTINGS_H

#include "data/input_dataset.h"
#include "kernel/kernel.h"

/* Of all but SnapshotDataset; what an op has no attr for keeps its default. */
sl_code sl_snapshot_settings_read(struct sl_dataset_spec *spec, struct sl_kernel_setup *setup);
/* Of SnapshotDataset. INVALID_ARGUMENT for words that it does not know. */
sl_code sl_older_snapshot_settings_read(struct sl_dataset_spec *spec, struct sl_kernel_setup *setup);

#endif
