Training: steps, losses, checkpoints, going on. The losses themselves are looked at by tests/cli/check_training.

$ cp $DATA/training/mlp.* . && sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --batch 12 --steps 20 --report 5 --save run --every 5 --keep 2
step 5  loss <...>
step 10  loss <...>
step 15  loss <...>
step 20  loss <...>
20 steps in <...> s, <...> a second; saved run/model.ckpt-20
$ ls run
checkpoint
events.out.tfevents.<...>
model.ckpt-15.data-00000-of-00001
model.ckpt-15.index
model.ckpt-20.data-00000-of-00001
model.ckpt-20.index
$ cat run/checkpoint
model_checkpoint_path: "model.ckpt-20"
all_model_checkpoint_paths: "model.ckpt-15"
all_model_checkpoint_paths: "model.ckpt-20"
all_model_checkpoint_timestamps: <...>
all_model_checkpoint_timestamps: <...>
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --batch 12 --steps 30 --save run --resume
step 21  loss <...>
step 24  loss <...>
step 27  loss <...>
step 30  loss <...>
10 steps in <...> s, <...> a second; saved run/model.ckpt-30
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --batch 12 --steps 30 --save run --resume
nothing to do: run/model.ckpt-30 is there
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --batch 12 --save run
sluice: run has checkpoints already, the latest is run/model.ckpt-30: go on with --resume, or take another directory
? 1
$ sluice ckpt verify run
15 of 15 tensors are sound
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --steps 2 --fetch loss --fetch global_step/Initializer/zeros:0
step 1  loss <...>  global_step/Initializer/zeros:0 0
step 2  loss <...>  global_step/Initializer/zeros:0 0
2 steps in <...>
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --batch 7 --shuffle 1 --steps 2 >one; sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --batch 7 --shuffle 2 --steps 2 >two; cmp -s one two || echo another order
2 steps in <...>
2 steps in <...>
another order
$ sluice train $DATA/training/cnn.pb --feed x=$DATA/training/cnn.x.npy --feed y=$DATA/training/cnn.y.npy --init init --step train --steps 3 --save cnn/run 2>/dev/null; sluice ckpt ls cnn/run
step 1  loss <...>
step 2  loss <...>
step 3  loss <...>
first/bias                                               float [4]
first/bias/Momentum                                      float [4]
first/kernel                                             float [3,3,1,4]
first/kernel/Momentum                                    float [3,3,1,4]
global_step                                              int64 []
output/bias                                              float [4]
output/bias/Momentum                                     float [4]
output/kernel                                            float [32,4]
output/kernel/Momentum                                   float [32,4]
second/bias                                              float [8]
second/bias/Momentum                                     float [8]
second/kernel                                            float [3,3,4,8]
second/kernel/Momentum                                   float [3,3,4,8]
$ sluice train mlp.pb --steps 3
sluice: You must feed a value for placeholder tensor 'x' with dtype float and shape [?,12]
	 [[{{node x}}]]
sluice: input x (float [?,12]) was not fed: --feed x=VALUE
sluice: input y (int32 [?]) was not fed: --feed y=VALUE
? 1
$ sluice train mlp.pb --feed x=$DATA/training/mlp.x.npy --feed y=$DATA/training/mlp.y.npy --step loss --steps 3
sluice: the step changes no variable, so it trains nothing
? 1
$ sluice train $DATA/saved_model/functions --signature lookup --feed 'ids=[0]' --feed n=1
sluice: the signature 'lookup' changes no variable, so it trains nothing
? 1
$ sluice train $DATA/saved_model/functions --steps 3
sluice: the model has no signature 'train'; --signature names another, --step a node
? 1
$ sluice train $DATA/saved_model/line --feed 'x=[1, 2]' --steps 1
sluice: You must feed a value for placeholder tensor 'train_y' with dtype float and shape [?]
	 [[{{node train_y}}]]
sluice: input y (float [?]) was not fed: --feed y=VALUE
? 1
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --fetch logits
sluice: there is no node 'logits' in the graph
sluice: did you mean 'loss'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --fetch MatMul
sluice: fetch MatMul: a step has to give one number, not 768
? 1
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=$DATA/training/cnn.losses --batch 8
sluice: feed y: no whole number at character 1 of '<...>/data/training/cnn.losses'
sluice: '<...>/data/training/cnn.losses' is a file: FILE.npy and pictures are fed as arrays, @<...>/data/training/cnn.losses as bytes
? 1
$ sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.x.npy --batch 8
sluice: feed y: the input takes int32, the file holds float: element 0, 1.80458379, is not exact as int32; --cast rounds it
? 1
$ sluice train mlp.pb --feed y=[3] --batch 8
sluice: --batch cuts .npy files, and none is fed
Try 'sluice train --help'.
? 2
$ sluice train mlp.pb --step trian --feed x=mlp.x.npy --feed y=mlp.y.npy
sluice: there is no node 'trian' in the graph
sluice: did you mean 'train'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice train $DATA/graphs/tanh.pbtxt
sluice: which node is the training step? There is none called train; --step names another
? 1
$ sluice train mlp.pb --resume
sluice: where to? --save names a directory
Try 'sluice train --help'.
? 2
$ sluice train mlp.pb --steps 0
sluice: --steps wants a number from 1 to 1000000000, not '0'
Try 'sluice train --help'.
? 2
$ sluice train mlp.pb --shuffle 3
sluice: --shuffle is for batches: --batch N
Try 'sluice train --help'.
? 2
$ sluice train
sluice: which graph?
Try 'sluice train --help'.
? 2
$ printf 'model_checkpoint_path: "model.ckpt-9"\n' >run/checkpoint && sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --save run --resume
sluice: There is no checkpoint run/model.ckpt-9
? 1
$ printf 'model_checkpoint_path: "other"\n' >run/checkpoint && cp run/model.ckpt-30.index run/other.index && sluice train mlp.pb --feed x=mlp.x.npy --feed y=mlp.y.npy --save run --resume
sluice: run/other: the name does not end with a step's number
? 1
$ sluice train $DATA/graphs/average.meta --steps 3 --fetch loss --fetch steps/AssignAdd --save meta
step 1  loss 4  steps/AssignAdd 1
step 2  loss 2  steps/AssignAdd 2
step 3  loss 1  steps/AssignAdd 3
3 steps in <...>
$ sluice ckpt cat meta mean
3.5
$ sluice train $DATA/saved_model/main_op --tags serve --step scale/Assign --step init --fetch scale/Read/ReadVariableOp --steps 1
step 1  scale/Read/ReadVariableOp 0.5
1 steps in <...>
$ sluice train $DATA/saved_model/main_op --tags nobody
sluice: the model has no graph with the tags 'nobody'; 'sluice show' lists them
? 1
$ sluice train mlp.pb --tags serve
sluice: --tags and --signature are for SavedModels
Try 'sluice train --help'.
? 2
