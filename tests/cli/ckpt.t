Checkpoints of both versions: listing, reading, checking, converting, merging.

$ sluice ckpt ls $DATA/ckpt/types
bool                                                     bool [3]
complex                                                  complex64 [1]
double                                                   double [2]
empty                                                    float [0,3]
float                                                    float [2,3]
half                                                     half [2]
int32                                                    int32 [4]
int64                                                    int64 []
int8                                                     int8 [5]
text                                                     string [3]
uint16                                                   uint16 [2]
$ sluice ckpt ls $DATA/ckpt/parts.v1
p                                                        float [4,6]  in 2 slices
$ sluice ckpt show $DATA/ckpt/types.v1
prefix    <...>/ckpt/types.v1
version   1
tensors   11, 29 elements, 88 bytes but for texts
$ sluice ckpt verify $DATA/ckpt/types.index
11 of 11 tensors are sound
$ sluice ckpt cat $DATA/ckpt/parts p
[[0, 1, 2, 3, 4, 5],
 [6, 7, 8, 9, 10, 11],
 [12, 13, 14, 15, 16, 17],
 [18, 19, 20, 21, 22, 23]]
$ sluice ckpt cat $DATA/ckpt/types float --json
{"dtype":"float","shape":[2,3],"value":[[1,-2,0.5],[3,4,5]]}
$ sluice ckpt cat $DATA/ckpt/types float --npy f.npy && wc -c <f.npy
152
$ sluice ckpt cat $DATA/ckpt/types half --npy h.npy; ls
f.npy
h.npy
$ sluice ckpt cat $DATA/ckpt/types nobody
sluice: Key nobody not found in checkpoint
sluice: 'sluice ckpt ls <...>/ckpt/types' lists the tensors
? 1
$ sluice ckpt convert $DATA/ckpt/types.v1 new && sluice ckpt verify new && cmp new.index $DATA/ckpt/types.index || ls
11 of 11 tensors are sound
new.index <...>/ckpt/types.index differ: byte 12, line 1
f.npy
h.npy
new.data-00000-of-00001
new.index
$ cp $DATA/ckpt/parts.* . && sluice ckpt merge all new parts && ls && sluice ckpt verify all
all.data-00000-of-00002
all.data-00001-of-00002
all.index
f.npy
h.npy
parts.v1
12 of 12 tensors are sound
$ printf 'model_checkpoint_path: "all"\n' >checkpoint && sluice ckpt show .
prefix    ./all
version   2
tensors   12, 53 elements, 184 bytes but for texts
slices    1 of the tensors are stored in parts
$ printf x | dd of=all.data-00000-of-00002 bs=1 seek=3 conv=notrunc 2>/dev/null; sluice ckpt verify all
sluice: all.data-00000-of-00002; tensor 'complex' (8 bytes at 3): Checksum does not match: stored 683723185 vs. calculated on the restored bytes 4186794612
11 of 12 tensors are sound
? 1
$ sluice ckpt ls $DATA/saved_model/functions
_CHECKPOINTABLE_OBJECT_GRAPH                             string []
count/.ATTRIBUTES/VARIABLE_VALUE                         int32 []
scale/.ATTRIBUTES/VARIABLE_VALUE                         float [2]
$ mkdir empty; sluice ckpt ls empty; sluice ckpt ls $DATA/saved_model/sparse
sluice: empty; the directory has no checkpoint, and no variables of a SavedModel
sluice: <...>/saved_model/sparse; the directory has no checkpoint, and no variables of a SavedModel
? 1
$ sluice ckpt ls nothing
sluice: Unsuccessful TensorSliceReader constructor: Failed to find any matching files for nothing
? 1
$ sluice ckpt
sluice: say what to do: ls, show, verify, cat, merge or convert
Try 'sluice ckpt --help'.
? 2
$ sluice ckpt cat one
sluice: sluice ckpt cat wants CHECKPOINT TENSOR
Try 'sluice ckpt --help'.
? 2
