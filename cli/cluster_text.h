/* Clusters as people write them. */
#ifndef SLUICE_CLI_CLUSTER_TEXT_H
#define SLUICE_CLI_CLUSTER_TEXT_H

#include <stdbool.h>

struct cluster_text {
    char *proto;     /* the jobs of a ClusterDef in the text format */
    char *first_job; /* the name of the first one */
};
/* From "worker=a:1,b:1;ps=c:1", from {"worker": ["a:1"]}, or from the file of this name that has either. False after an
 * error, which has been printed. Clear it in any case. */
bool cluster_text_read(struct cluster_text *out, const char *text);
void cluster_text_clear(struct cluster_text *cluster);

#endif
