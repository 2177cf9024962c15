What was trained can be used: values of variables from checkpoints and initialisers, in run, freeze and train.

$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum --checkpoint $DATA/ckpt/saver
sum:0  float []
4.5
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum --checkpoint $DATA/ckpt/saver.v1
sum:0  float []
5.5
$ cp $DATA/ckpt/saver.* . && printf 'model_checkpoint_path: "saver"\n' >checkpoint && sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum --checkpoint .
sum:0  float []
4.5
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --init
sluice: left out, for they change what lasts: v/Assign (Assign), save/control_dependency (by save/SaveV2), save/Assign (Assign), dequeue (QueueDequeueV2); --fetch NAME and --target NAME run one
said [4]
sum:0  float []
2
said:0  float []
4
$ ls v.*
ls: cannot access 'v.*': No such file or directory
? 2
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum --init --checkpoint saver
sum:0  float []
4.5
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum
sluice: Attempting to use uninitialized value v
	 [[{{node v/read}}]]
sluice:   node 'v/read' (Identity) reads 'v:0' (float [])
sluice:   the variable has no value yet: run its initialiser first, or load a checkpoint
sluice: --checkpoint PREFIX gives variables the values of a checkpoint, --init their first ones
? 1
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum --checkpoint nothing
sluice: Unsuccessful TensorSliceReader constructor: Failed to find any matching files for nothing
? 1
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2 --fetch sum --checkpoint $DATA/ckpt/types
sluice: The checkpoint <...>/data/ckpt/types has none of the variables
? 1
$ sluice run $DATA/graphs/count.pbtxt --init
sluice: --init: the graph has neither a node 'init', nor a collection init_op, nor NAME/Assign for a variable NAME
? 1
$ sluice run $DATA/graphs/average.meta --init --fetch loss
loss:0  float []
4
$ sluice freeze $DATA/graphs/saver.pbtxt sum.pb --checkpoint saver --fetch sum && sluice run sum.pb --feed x=2
input   x = x:0
output  sum = sum:0
sum:0  float []
4.5
$ sluice freeze $DATA/graphs/saver.pbtxt sum.pb --init --fetch sum --feed v/read && sluice run sum.pb --feed x=2 --feed v/read=5
input   v/read = v/read:0
output  sum = sum:0
sum:0  float []
7
$ sluice freeze $DATA/graphs/saver.pbtxt all.pb
sluice: left out, for they change what lasts: v/Assign (Assign), save/control_dependency (by save/SaveV2), save/Assign (Assign), dequeue (QueueDequeueV2); --fetch NAME and --target NAME run one
sluice: Attempting to use uninitialized value v
	 [[{{node _retval_v_0_0}}]]
sluice: --checkpoint PREFIX gives variables the values of a checkpoint, --init their first ones
sluice: --fetch NAME keeps what NAME needs, and no other results
? 1
$ sluice freeze $DATA/graphs/count.pbtxt count.pb && sluice run count.pb
output  exit = exit:0
exit:0  int32 []
10
$ sluice freeze $DATA/graphs/count.pbtxt count.pb --signature nobody
sluice: --tags and --signature are for SavedModels, and '<...>/data/graphs/count.pbtxt' is none
Try 'sluice freeze --help'.
? 2
$ sluice run $DATA/saved_model/line --feed 'x=[1, 2]' --fetch y
y  float [2]
[1, 2]
$ sluice run $DATA/saved_model/line --feed 'x=[1, 2]' --checkpoint $DATA/saved_model/line/later
words  string [2]
["fitted", "line"]
y  float [2]
[2.5, 4.5]
$ mkdir tmp; TMPDIR=tmp sluice run $DATA/saved_model/line --feed 'x=[1, 2]' --checkpoint $DATA/saved_model/line/later --fetch y; ls tmp
y  float [2]
[2.5, 4.5]
$ sluice freeze $DATA/saved_model/line y.pb --fetch y --checkpoint $DATA/saved_model/line/later && sluice run y.pb --feed 'serving_default_x=[1, 2]'
input   x = serving_default_x:0
output  y = StatefulPartitionedCall:1
StatefulPartitionedCall:0  string [2]
["fitted", "line"]
StatefulPartitionedCall:1  float [2]
[2.5, 4.5]
$ sluice ckpt convert $DATA/saved_model/line/later copy && sluice run $DATA/saved_model/line --feed 'x=[1, 2]' --checkpoint copy --fetch y
y  float [2]
[2.5, 4.5]
$ sluice run $DATA/saved_model/line --feed 'x=[1, 2]' --checkpoint saver
sluice: The checkpoint saver has none of the variables
? 1
$ sluice train $DATA/saved_model/line --feed 'x=[1, 2]' --feed 'y=[3, 4]' --steps 2 --save line
step 1  loss 4
step 2  loss 1.84500003
2 steps in <...>; saved line/model.ckpt-2
$ sluice ckpt ls line; sluice run $DATA/saved_model/line --feed 'x=[1, 2]' --checkpoint line --fetch y
_CHECKPOINTABLE_OBJECT_GRAPH                             string []
parts/0/.ATTRIBUTES/VARIABLE_VALUE                       float []
parts/1/.ATTRIBUTES/VARIABLE_VALUE                       float []
words/.ATTRIBUTES/VARIABLE_VALUE                         string [2]
y  float [2]
[1.83, 3.325]
$ sluice train $DATA/saved_model/line --feed 'x=[1, 2]' --feed 'y=[3, 4]' --steps 4 --save line --resume
step 3  loss 0.91226244
step 4  loss 0.507611811
2 steps in <...>; saved line/model.ckpt-4
$ mkdir later; cp $DATA/saved_model/line/later.index later/ckpt-1.index; cp $DATA/saved_model/line/later.data* later/ckpt-1.data-00000-of-00001; printf 'model_checkpoint_path: "ckpt-1"\n' >later/checkpoint; sluice train $DATA/saved_model/line --signature train --feed 'x=[1, 2]' --feed 'y=[3, 4]' --steps 2 --save later --resume
step 2  loss 0.25
1 steps in <...>; saved later/model.ckpt-2
$ sluice train $DATA/saved_model/line --signature serving_default --feed 'x=[1, 2]' --steps 1 --fetch y
sluice: the signature 'serving_default' changes no variable, so it trains nothing
? 1
$ sluice train $DATA/saved_model/line --signature nobody
sluice: the graph has no signature 'nobody'; 'sluice show' lists them
? 1
