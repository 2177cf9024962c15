What is inside functions: shown, fetched and timed by the names of paths.

$ sluice show $DATA/graphs/calls.pbtxt
inputs    x                                    float [?]                    Placeholder
outputs   y                                    float [?]                    PartitionedCall
          stuck                                float <unknown>              PartitionedCall
nodes     9 of 6 types, 6 of them in 3 functions
       3  PartitionedCall
       2  Const
       1  AddV2
       1  Mul
       1  Placeholder
       1  TPUReplicatedInput   (no kernel)
missing   1 of the types have no kernel: what needs them cannot run
          TPUReplicatedInput       stuck/replica
$ sluice show $DATA/graphs/calls.pbtxt --nodes
x                                            Placeholder              float [?]
y                                            PartitionedCall          float [?]
y/one                                        Const                    float []
y/scale                                      PartitionedCall          float <unknown>
y/scale/two                                  Const                    float []
y/scale/times                                Mul                      float <unknown>
y/sum                                        AddV2                    float <unknown>
stuck                                        PartitionedCall          float <unknown>
stuck/replica                                TPUReplicatedInput       float <unknown>
$ sluice show $DATA/graphs/calls.pbtxt --dot | grep -v '^  node'
digraph graph_ {
  "x" [label="x\nPlaceholder", fillcolor="#cfe8ff"];
  "y/one" [label="y/one\nConst", fillcolor="#eeeeee"];
  "y/sum" [label="y/sum\nAddV2", fillcolor="#ffffff"];
  "y" [label="y\nIdentityN", fillcolor="#d4f5d0"];
  "stuck/replica" [label="stuck/replica\nTPUReplicatedInput", fillcolor="#ffffff"];
  "stuck" [label="stuck\nIdentityN", fillcolor="#d4f5d0"];
  "y/scale/two" [label="y/scale/two\nConst", fillcolor="#eeeeee"];
  "y/scale/times" [label="y/scale/times\nMul", fillcolor="#ffffff"];
  "y/scale" [label="y/scale\nIdentityN", fillcolor="#d4f5d0"];
  "y/scale/times" -> "y/sum";
  "y/one" -> "y/sum";
  "y/sum" -> "y";
  "x" -> "stuck/replica";
  "stuck/replica" -> "stuck";
  "x" -> "y/scale/times";
  "y/scale/two" -> "y/scale/times";
  "y/scale/times" -> "y/scale";
}
$ sluice show $DATA/graphs/calls.pbtxt --svg | grep -c '<title>y/scale/times'
1
$ sluice run $DATA/graphs/calls.pbtxt --feed 'x=[1, 10]' --fetch y/scale/times --fetch y --fetch y/scale
y/scale/times:0  float [2]
[2, 20]
y:0  float [2]
[3, 21]
y/scale:0  float [2]
[2, 20]
$ sluice run $DATA/graphs/calls.pbtxt --feed 'y/scale/times=[1, 10]' --fetch y/sum
y/sum:0  float [2]
[2, 11]
$ sluice run $DATA/graphs/calls.pbtxt --feed 'x=[1, 10]' --fetch times
sluice: there is no node 'times' in the graph
sluice: did you mean 'y/scale/times'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice run $DATA/graphs/calls.pbtxt --feed 'x=[1, 10]' --fetch stuck/replica
sluice: No OpKernel was registered to support Op 'TPUReplicatedInput' used by {{node stuck/replica}} with these attrs: [T=float]
Registered devices: [CPU]
Registered kernels:
  <no registered kernels>

sluice:   node 'stuck/replica' (TPUReplicatedInput) reads 'x:0' (float [?])
sluice:   no kernel serves the op with these types: sluice ops NAME says which there are
? 1
$ sluice run $DATA/graphs/calls.pbtxt --feed 'x=[1, 10]' --fetch y --time node 2>&1 >/dev/null | grep -v memory | awk '{ print $1, $2 }' | sort
node op
total 1
y/sum _ElementwiseProgram
$ sluice show $DATA/graphs/calls.pbtxt --place --fetch y/scale/times --nodes | awk '/^(x|y)/ { print $1, $2 }'
x _Arg
y/scale/two Const
y/scale/times Mul
y/scale/times _Retval
$ sluice show $DATA/saved_model/functions --nodes | awk '$2 != "Identity" && $2 != "Const" && $2 != "NoOp"' | grep '^StatefulPartitionedCall/'
StatefulPartitionedCall/StatefulPartitionedCall StatefulPartitionedCall  float [2]
StatefulPartitionedCall/StatefulPartitionedCall/embedding_lookup ResourceGather           float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/Greater Greater                  bool []
StatefulPartitionedCall/StatefulPartitionedCall/cond If                       float [2]
StatefulPartitionedCall/StatefulPartitionedCall/cond/then/cond/ReadVariableOp ReadVariableOp           float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/cond/then/cond/add AddV2                    float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/cond/else/cond/ReadVariableOp ReadVariableOp           float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/cond/else/cond/mul Mul                      float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall StatefulPartitionedCall  float [2]
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while While                    int32 []
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/cond/while/Greater Greater                  bool []
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/body/while/mul/ReadVariableOp ReadVariableOp           float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/body/while/mul Mul                      float <unknown>
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/body/while/sub Sub                      int32 []
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/body/while/add AddV2                    int32 []
StatefulPartitionedCall/StatefulPartitionedCall/Shape/ReadVariableOp ReadVariableOp           float <unknown>
$ sluice show $DATA/saved_model/functions --dot --signature lookup | grep -c 'While'
1
$ sluice show $DATA/saved_model/functions --dot | grep -c 'AssignAddVariableOp.*label'
1
$ sluice show $DATA/saved_model/main_op --tags train,gpu | head -3
tags      train,gpu
nodes     82 of 22 types
      22  Const
$ sluice show $DATA/saved_model/main_op --signature serving_default
sluice: --signature is for --place and --partition, or for a picture
Try 'sluice show --help'.
? 2
$ sluice run $DATA/saved_model/functions --feed 'x=[1, 10]' --fetch StatefulPartitionedCall_1/StatefulPartitionedCall/mul --fetch count --json
{"name":"StatefulPartitionedCall_1/StatefulPartitionedCall/mul","tensor":{"dtype":"float","shape":[2],"value":[3,40]}}
{"name":"count","tensor":{"dtype":"int32","shape":[],"value":1}}
$ sluice run $DATA/saved_model/functions --signature lookup --feed 'ids=[1, 0]' --feed n=3 --fetch StatefulPartitionedCall/StatefulPartitionedCall/cond/then/cond/add
StatefulPartitionedCall/StatefulPartitionedCall/cond/then/cond/add  float [2]
[3.5, 4.5]
$ sluice run $DATA/saved_model/functions --signature lookup --feed 'ids=[1, 0]' --feed n=3 --fetch StatefulPartitionedCall/StatefulPartitionedCall/cond/else/cond/mul
sluice: Retval[0] does not have value: StatefulPartitionedCall/StatefulPartitionedCall/cond/else/cond/mul:0 is on a branch that was not taken
? 1
$ sluice run $DATA/saved_model/functions --signature lookup --feed 'ids=[1, 0]' --feed n=3 --fetch StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/body/while/mul
sluice: node 'StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while/body/while/mul' is in a loop: it has a value in each iteration, and none to fetch
? 1
$ sluice run $DATA/saved_model/functions --signature lookup --feed 'ids=[1, 0]' --feed n=3 --fetch powers --time node 2>&1 >/dev/null | awk '$2 == "Loop" { print $1 }'
StatefulPartitionedCall/StatefulPartitionedCall/StatefulPartitionedCall/while
