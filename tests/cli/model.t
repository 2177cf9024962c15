SavedModels: what is in one, running a signature.

$ sluice show $DATA/saved_model/main_op
tags      serve
signature serving_default  tensorflow/serving/predict
  inputs    x                        float [?]                    x:0
  outputs   words                    string []                    Identity:0
            y                        float [?]                    y:0
nodes     54 of 22 types
      13  Const
       6  Identity
       5  AssignVariableOp
       5  ReadVariableOp
       4  NoOp
       2  Assign
       2  PlaceholderWithDefault
       2  VarHandleOp
       2  VarIsInitializedOp
       1  AddV2
       1  MergeV2Checkpoints
       1  Mul
       1  Pack
       1  Placeholder
       1  ReadFile
       1  RestoreV2
       1  SaveV2
       1  Select
       1  ShardedFilename
       1  StaticRegexFullMatch
       1  StringJoin
       1  VariableV2
tags      train,gpu
nodes     82 of 22 types
      22  Const
      10  Identity
       7  AssignVariableOp
       6  NoOp
       5  ReadVariableOp
       4  PlaceholderWithDefault
       3  Assign
       2  MergeV2Checkpoints
       2  Pack
       2  RestoreV2
       2  SaveV2
       2  Select
       2  ShardedFilename
       2  StaticRegexFullMatch
       2  StringJoin
       2  VarHandleOp
       2  VarIsInitializedOp
       1  AddV2
       1  Mul
       1  Placeholder
       1  ReadFile
       1  VariableV2
variables offset                                                   float []
          scale                                                    float []
          words                                                    string []
$ sluice show $DATA/saved_model/functions
tags      serve
signature lookup  tensorflow/serving/predict
  inputs    ids                      int32 [?]                    lookup_ids:0
            n                        int32 []                     lookup_n:0
  outputs   either                   float [2]                    StatefulPartitionedCall:0
            powers                   float [2]                    StatefulPartitionedCall:1
            rows                     float [?]                    StatefulPartitionedCall:2
            shape                    int32 [1]                    StatefulPartitionedCall:3
signature serving_default  tensorflow/serving/predict
  inputs    x                        float [2]                    serving_default_x:0
  outputs   count                    int32 []                     StatefulPartitionedCall_1:0
            y                        float [2]                    StatefulPartitionedCall_1:1
nodes     112 of 25 types, 98 of them in 11 functions
      33  Identity
      20  Const
      12  NoOp
      10  ReadVariableOp
       7  StatefulPartitionedCall
       4  Placeholder
       3  Mul
       2  AddV2
       2  AssignVariableOp
       2  DisableCopyOnRead
       2  Greater
       2  VarHandleOp
       1  AssignAddVariableOp
       1  If
       1  MergeV2Checkpoints
       1  Pack
       1  ResourceGather
       1  RestoreV2
       1  SaveV2
       1  Select
       1  ShardedFilename
       1  StaticRegexFullMatch
       1  StringJoin
       1  Sub
       1  While
variables _CHECKPOINTABLE_OBJECT_GRAPH                             string []
          count/.ATTRIBUTES/VARIABLE_VALUE                         int32 []
          scale/.ATTRIBUTES/VARIABLE_VALUE                         float [2]
$ sluice run $DATA/saved_model/main_op --feed 'x=[1, 4]'
words  string []
"one two"
y  float [2]
[2.5, 4]
$ sluice run $DATA/saved_model/functions --signature serving_default --feed 'x=[1, 10]' --fetch y --repeat 3 2>/dev/null
y  float [2]
[3, 40]
$ sluice run $DATA/saved_model/functions --feed 'x=[1, 10]' --fetch count --json
{"name":"count","tensor":{"dtype":"int32","shape":[],"value":1}}
$ sluice run $DATA/saved_model/main_op --tags train,gpu --feed 'x=[1, 2]' --fetch y
y:0  float [2]
[2.5, 3]
$ sluice run $DATA/saved_model/main_op --tags nobody
sluice: the model has no graph with the tags 'nobody'; 'sluice show' lists them
? 1
$ sluice run $DATA/saved_model/main_op --signature nobody
sluice: the graph has no signature 'nobody'; 'sluice show' lists them
? 1
$ sluice run $DATA/graphs/tanh.pbtxt --signature nobody
sluice: --tags and --signature are for SavedModels, and '<...>/graphs/tanh.pbtxt' is none
Try 'sluice run --help'.
? 2
$ sluice show $DATA/graphs/..
sluice: Could not find SavedModel .pb or .pbtxt at supplied export directory path: <...>/graphs/... Check that the directory exists and that you have the right permissions for accessing it.
? 1
$ sluice freeze $DATA/saved_model/main_op m.pb && sluice run m.pb --feed 'x=[1, 4]' --fetch y --fetch Identity
input   x = x:0
output  words = Identity:0
output  y = y:0
y:0  float [2]
[2.5, 4]
Identity:0  string []
"one two"
$ sluice freeze $DATA/saved_model/functions f.pb --signature lookup && sluice show f.pb | head -3
input   ids = lookup_ids:0
input   n = lookup_n:0
output  either = StatefulPartitionedCall:0
output  powers = StatefulPartitionedCall:1
output  rows = StatefulPartitionedCall:2
output  shape = StatefulPartitionedCall:3
inputs    lookup_ids                           int32 [?]                    Placeholder
          lookup_n                             int32 []                     Placeholder
outputs   StatefulPartitionedCall              float [2]                    StatefulPartitionedCall
$ sluice run f.pb --feed lookup_ids='[1, 0, 1]' --feed lookup_n=3 --json
{"name":"StatefulPartitionedCall:0","tensor":{"dtype":"float","shape":[2],"value":[3.5,4.5]}}
{"name":"StatefulPartitionedCall:1","tensor":{"dtype":"float","shape":[2],"value":[27,64]}}
{"name":"StatefulPartitionedCall:2","tensor":{"dtype":"float","shape":[3],"value":[4,3,4]}}
{"name":"StatefulPartitionedCall:3","tensor":{"dtype":"int32","shape":[1],"value":[2]}}
$ sluice run $DATA/saved_model/functions --signature lookup --feed ids='[1, 0, 1]' --feed n=3 --json
{"name":"either","tensor":{"dtype":"float","shape":[2],"value":[3.5,4.5]}}
{"name":"powers","tensor":{"dtype":"float","shape":[2],"value":[27,64]}}
{"name":"rows","tensor":{"dtype":"float","shape":[3],"value":[4,3,4]}}
{"name":"shape","tensor":{"dtype":"int32","shape":[1],"value":[2]}}
$ sluice freeze $DATA/saved_model/functions f.pb
sluice: {{node AssignAddVariableOp}} (AssignAddVariableOp) takes a variable in a way that no constant can stand for, so the graph cannot be frozen
? 1
$ sluice freeze $DATA/saved_model/functions
sluice: which graph or SavedModel, and which file shall hold the graph?
Try 'sluice freeze --help'.
? 2
$ cp -r $DATA/saved_model/main_op same && sed -i '1471,1472s/"y"/"x"/' same/saved_model.pbtxt && sluice run same --feed 'x=[1, 4]' --fetch x
x  float [2]
[2.5, 4]
$ sluice run $DATA/saved_model/main_op --feed 'x=[[1, 4]]'
sluice: feed x: the input takes float [?], the value is float [1,2]
? 1
$ sluice run $DATA/saved_model/functions --signature lookup --feed n=3
sluice: You must feed a value for placeholder tensor 'lookup_ids' with dtype int32 and shape [?]
	 [[{{node lookup_ids}}]]
sluice: input ids (int32 [?]) was not fed: --feed ids=VALUE
? 1
$ sluice show $DATA/saved_model/sparse | head -14
tags      serve
signature serving_default  tensorflow/serving/predict
  inputs    rows/0                   int32 [?]                    rows/flat_values:0
            rows/1                   int64 [?]                    rows/row_splits_0:0
            x/dense_shape            int64 [2]                    x/shape:0
            x/indices                int64 [?,2]                  x/indices:0
            x/values                 float [?]                    x/values:0
  outputs   dense                    float [?,?]                  SparseToDense:0
            lengths                  int64 [?]                    sub:0
            more/0                   int32 [?]                    Add:0
            more/1                   int64 [?]                    rows/row_splits_0:0
            twice/dense_shape        int64 [2]                    x/shape:0
            twice/indices            int64 [?,2]                  x/indices:0
            twice/values             float [?]                    Mul:0
$ sluice run $DATA/saved_model/sparse --feed 'x/indices=[[0, 1], [1, 3]]' --feed 'x/values=[3, 4]' --feed 'x/dense_shape=[2, 4]' \
    --feed 'rows/0=[1, 2, 3]' --feed 'rows/1=[0, 1, 1, 3]' --json
{"name":"dense","tensor":{"dtype":"float","shape":[2,4],"value":[[0,3,0,0],[0,0,0,4]]}}
{"name":"lengths","tensor":{"dtype":"int64","shape":[3],"value":[1,0,2]}}
{"name":"more/0","tensor":{"dtype":"int32","shape":[3],"value":[2,3,4]}}
{"name":"more/1","tensor":{"dtype":"int64","shape":[4],"value":[0,1,1,3]}}
{"name":"twice/dense_shape","tensor":{"dtype":"int64","shape":[2],"value":[2,4]}}
{"name":"twice/indices","tensor":{"dtype":"int64","shape":[2,2],"value":[[0,1],[1,3]]}}
{"name":"twice/values","tensor":{"dtype":"float","shape":[2],"value":[6,8]}}
$ sluice run $DATA/saved_model/sparse --feed 'rows/1=[0, 3]' --fetch more/1=splits.npy --repeat 2 2>/dev/null && tail -c 16 splits.npy | od -An -td8
                    0                    3
$ sluice show $DATA/saved_model/sparse --place | head -3
placed
device       nodes       time    sends      bytes receives      bytes
CPU:0        <...>
$ sluice run $DATA/saved_model/sparse --feed 'x=[3]'
sluice: there is no 'x' in the signature, and no such node in the graph
sluice: did you mean 'x/dense_shape', 'x/indices' or 'x/values'?
sluice: the signature serving_default has
sluice:   inputs  rows/0, rows/1, x/dense_shape, x/indices, x/values
sluice:   outputs dense, lengths, more/0, more/1, twice/dense_shape, twice/indices, twice/values
? 1
