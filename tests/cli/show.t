Looking at graphs and ops.

$ sluice show $DATA/graphs/count.pbtxt
inputs    none
outputs   exit                                 int32 <unknown>              Exit
nodes     13 of 9 types
       3  Const
       3  Enter
       1  AddV2
       1  Exit
       1  Less
       1  LoopCond
       1  Merge
       1  NextIteration
       1  Switch
$ sluice show $DATA/graphs/tanh.pbtxt --nodes
x                                            Placeholder              float [?,2]
y                                            Tanh                     float [?,2]
$ sluice show --dot $DATA/graphs/tanh.pbtxt
digraph graph_ {
  node [shape=box, style="rounded,filled", fontname="sans-serif"];
  "x" [label="x\nPlaceholder", fillcolor="#cfe8ff"];
  "y" [label="y\nTanh", fillcolor="#d4f5d0"];
  "x" -> "y";
}
$ sluice show $DATA/graphs/average.meta
inputs    none
outputs   steps/Assign                         int64 []                     Assign
          steps/read                           int64 []                     Identity
          loss                                 float []                     Abs
          steps/AssignAdd                      int64 []                     AssignAdd
nodes     18 of 13 types
       5  Const
       2  NoOp
       1  Abs
       1  Assign
       1  AssignAdd
       1  AssignAddVariableOp
       1  AssignVariableOp
       1  Identity
       1  Mul
       1  ReadVariableOp
       1  Sub
       1  VarHandleOp
       1  VariableV2
collections train_op                             1 nodes
            rates                                2 floats
            sizes                                2 ints
            contexts                             2 bytes
            attributes                           1 messages
$ printf 'graph_def {' | sluice show /dev/stdin
sluice: /dev/stdin: 1:12 : Expected "}", found the end.
? 1
$ sluice ops Tanh
Tanh(x: T) -> y: T
attr     T: type in {bfloat16, half, float, double, complex64, complex128}
kernel   CPU  T: float double complex64 bfloat16 complex128 half
$ sluice ops NoSuchOp
sluice: there is no op 'NoSuchOp'; 'sluice ops' lists all
? 1
$ sluice nothing
sluice: there is no command 'nothing'
Try 'sluice --help'.
? 2
$ sluice help run
usage: sluice run [OPTIONS] GRAPH|MODEL

run a graph or a SavedModel: feed inputs, fetch outputs

  --feed NAME=VALUE            feed an input: a value, FILE.npy, a picture, @FILE for bytes
  --fetch NAME[=FILE.npy]      fetch an output, and write it to a file; default: every result that only reads
  --target OP                  run a node without fetching anything from it
  --signature NAME             of a SavedModel: inputs and outputs by its names; default: serving_default
  --tags TAG,TAG               of a SavedModel: the graph with these tags; default: serve, or the only one
  --checkpoint PREFIX|DIR      give variables the values of a checkpoint first
  --init                       run the initialisers of the variables first
  --repeat N                   run N times and print how long a run takes
  --time op|node               print where the time of the runs goes, by ops or by nodes, and the memory they take
  --timeout SECONDS            end a run that takes longer, and say what it waits for
  --explain-stuck SECONDS      say what the runs wait for when they take longer, and go on; SIGUSR1 asks at any time
  --memory SIZE                fail a run whose tensors hold more, as in 500M or 2G, and say which nodes hold the most
  --watch-nan                  end at the first node that makes a NaN or an infinity out of inputs without, and say where
  --threads N                  threads that work on one run; default: all processors
  --devices N                  CPU devices that the graph may be spread over; default: 1
  --soft                       use another device for one that is not there
  --pixels RANGE               feed pictures as 0..1, -1..1 or 0..255; default: 0..1, whole numbers 0..255
  --cast                       round the numbers of .npy files to the input's type
  --json                       print results as JSON, one line each
  --full                       print large results in full
$ sluice completion bash | bash -n
$ sluice show $DATA/training/cnn.pb --svg | head -1 | awk -F'"' '{ print ($4 <= 1600 && $6 <= 3000) ? "fits a page" : $0 }'
fits a page
$ sluice show $DATA/graphs/count.pbtxt --svg | grep -c '>next iteration<'
1
$ sluice show $DATA/graphs/calls.pbtxt --tree 2
nodes                                                <...>
stuck/  (function replicated) <...>
...
y/  (function line) <...>
  scale/  (function twice) <...>
...
(nodes) <...>
$ sluice show $DATA/graphs/calls.pbtxt --find mul
y/scale/times                                    Mul                      float <...>
$ sluice show $DATA/graphs/calls.pbtxt --find nothing
sluice: no node's name or op has 'nothing'
? 1
$ sluice show $DATA/graphs/calls.pbtxt --path x,y
x                                                Placeholder              float [?]
y/scale/times <...>
...
y                                                IdentityN                float <...>
<...> steps; <...> nodes are on a way from one to the other
$ sluice show $DATA/graphs/calls.pbtxt --path y,x
sluice: nothing leads from 'y' to 'x'
? 1
$ sluice show $DATA/graphs/calls.pbtxt --path y
sluice: --path wants FROM,TO, not 'y'
Try 'sluice show --help'.
? 1
$ sluice show $DATA/graphs/calls.pbtxt --html page.html; grep -cE '(src|href)=|@import|url\(' page.html; grep -c '^\["y/scale/times","Mul"' page.html
0
1
$ sluice show $DATA/graphs/calls.pbtxt --html page.html --place
sluice: --html does not go with --place, --partition or --pipeline
Try 'sluice show --help'.
? 2
