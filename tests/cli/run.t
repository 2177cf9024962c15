Running graphs: guesses, feeds, fetches, what it says when something is wrong.

$ sluice run $DATA/graphs/count.pbtxt
exit:0  int32 []
10
$ SLUICE_EXEC=frames sluice run $DATA/graphs/count.pbtxt --json
{"name":"exit:0","tensor":{"dtype":"int32","shape":[],"value":10}}
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1], [-1, 0.5]]'
y:0  float [2,2]
[[0, 0.7615942],
 [-0.7615942, 0.46211717]]
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --fetch y=y.npy && sluice run $DATA/graphs/tanh.pbtxt --feed x=y.npy
y:0  float [1,2]
[[0, 0.642015]]
$ sluice run $DATA/graphs/tanh.pbtxt
sluice: You must feed a value for placeholder tensor 'x' with dtype float and shape [?,2]
	 [[{{node x}}]]
sluice: input x (float [?,2]) was not fed: --feed x=VALUE
? 1
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1], [2]]'
sluice: feed x: the lists of one level differ in length at character 13 of '[[0, 1], [2]]'
? 1
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1e99]]'
y:0  float [1,2]
[[0, 1]]
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[1, 1]]' --fetch z
sluice: there is no node 'z' in the graph
sluice: did you mean 'x' or 'y'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice run $DATA/graphs/count.pbtxt --fetch exit:1
sluice: node 'exit' has 1 output, there is no output 1
? 1
$ sluice run missing.pb
sluice: missing.pb; No such file or directory
? 1
$ printf 'node { name: "a" op: "Tanh" inptu: "b" }' > bad.pbtxt && sluice run bad.pbtxt
sluice: bad.pbtxt: 1:29 : Message type "tensorflow.NodeDef" has no field named "inptu".
? 1
$ head -c 100 /dev/zero > zeros.pb; sluice run zeros.pb
sluice: zeros.pb: Invalid GraphDef: tensorflow.GraphDef: a field number is zero (byte 0)
? 1
$ printf 'x' > bad.npy; sluice run $DATA/graphs/tanh.pbtxt --feed x=bad.npy
sluice: bad.npy: it does not begin as an .npy file
? 1
$ sluice run
sluice: which graph?
Try 'sluice run --help'.
? 2
$ sluice run --repeat none $DATA/graphs/count.pbtxt
sluice: --repeat wants a number from 1 to 100000000, not 'none'
Try 'sluice run --help'.
? 2
$ sluice run $DATA/graphs/count.pbtxt --time op 2>&1 >/dev/null | grep -v memory | awk '{ print $1, $2, $NF }' | sort
AddV2 10 40
Less 11 11
Loop 1 0
op times bytes
total <...>
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 5 --time node 2>&1 >/dev/null | grep -v memory | awk '{ print $1, $2, $3, $NF }'
5 runs: first <...>
node op times bytes
y Tanh 5 40
total <...>
$ TMPDIR=. sluice run $DATA/graphs/tanh.pbtxt --time op --feed x=bad; ls | grep -c sluice-
sluice: feed x: <...>
0
? 1
$ sluice run $DATA/graphs/tanh.pbtxt --time all --feed 'x=[[0, 1]]'
sluice: --time wants op or node, not 'all'
Try 'sluice run --help'.
? 2
$ sluice run $DATA/graphs/saver.pbtxt --feed x=2; ls v.*
sluice: left out, for they change what lasts: v/Assign (Assign), save/control_dependency (by save/SaveV2), save/Assign (Assign), dequeue (QueueDequeueV2); --fetch NAME and --target NAME run one
sluice: Attempting to use uninitialized value v
	 [[{{node v/read}}]]
sluice:   node 'v/read' (Identity) reads 'v:0' (float [])
sluice:   the variable has no value yet: run its initialiser first, or load a checkpoint
sluice: --checkpoint PREFIX gives variables the values of a checkpoint, --init their first ones
ls: cannot access 'v.*': No such file or directory
? 2
$ sluice run $DATA/graphs/saver.pbtxt --fetch v/Assign
v/Assign:0  float []
0
$ sluice run $DATA/graphs/saver.pbtxt --feed x=1 --fetch sum --init --time op 2>&1 >/dev/null | grep memory
loading <...> ms, preparing <...> ms, first run <...> ms; memory at most <...> MB, <...> MB before the first run
$ for engine in linear frames; do SLUICE_EXEC=$engine SLUICE_TRACE_EVERY=4 sluice run $DATA/graphs/count.pbtxt --time op 2>&1 >/dev/null | awk '$1 == "AddV2" || $1 == "Less" || $1 == "Exit" { print $1, $2, $NF }' | sort; done
AddV2 12 48
Less 12 12
AddV2 12 48
Exit 1 4
Less 12 12
$ (timeout --foreground --preserve-status -s INT 2 sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 10000000 --time node 2>&1; echo status $?) | sed 's/after [0-9]* of/after N of/; s/^[0-9]* runs: first.*/N runs/' | grep -v memory | awk '$1 == "node" || $1 == "total" { print $1; next } { print }' | grep -v '^y '
y:0  float [1,2]
[[0, 0.7615942]]
N runs
sluice: interrupted after N of 10000000 runs
sluice: Session has been closed.
node
total
status 1
$ sluice run $DATA/graphs/tanh.pbtxt --timeout 0
sluice: --timeout wants seconds above 0, not '0'
Try 'sluice run --help'.
? 2
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --memory 100
sluice: The step may hold 100 bytes of memory (SLUICE_STEP_MEMORY, or an option of the session), holds 0 bytes, and node 'y' (Tanh) asked for <...> bytes.
	 [[{{node y}}]]
? 1
$ SLUICE_EXEC=frames SLUICE_STEP_MEMORY=100 sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]'
sluice: The step may hold 100 bytes of memory (SLUICE_STEP_MEMORY, or an option of the session), holds 0 bytes, and node 'y' (Tanh) asked for <...> bytes.
	 [[{{node y}}]]
? 1
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --memory 64K
y:0  float [1,2]
[[0, 0.7615942]]
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --memory much
sluice: --memory wants a size, as in 500M or 2G, not 'much'
Try 'sluice run --help'.
? 2
$ SLUICE_STEP_MEMORY=3X sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]'
sluice: SLUICE_STEP_MEMORY is '3X', which is no number of bytes, as in 500000000, 500M or 2G
? 1
$ sluice run $DATA/graphs/saver.pbtxt --fetch dequeue --timeout 0.2
sluice: Timed out waiting for notification. Waiting: node 'dequeue' (QueueDequeueV2) waits on '_0_queue', which is empty (no node of the graph puts something in)
? 1
$ sluice run $DATA/stuck/taking.pbtxt --fetch exit --timeout 0.3
sluice: Timed out waiting for notification. Waiting: node 'take' (QueueDequeueV2) waits on 'three', which is empty, in iteration 3 of its loop (node 'put', which puts something in, has run, or waits for its inputs)
? 1
$ timeout --foreground --preserve-status -s INT 2 sluice run $DATA/graphs/saver.pbtxt --fetch dequeue
sluice: interrupted after 0 of 1 runs
sluice: Dequeue operation was cancelled
	 [[{{node dequeue}}]]
	 Session has been closed. Waiting: node 'dequeue' (QueueDequeueV2) waits on '_0_queue'
? 1
$ sed 's/int_val: 1 /int_val: 0 /; s/"loop"/"forever"/' $DATA/graphs/count.pbtxt >endless.pbtxt; sluice run endless.pbtxt --timeout 0.2
sluice: Timed out waiting for notification. Waiting: loop 'forever' goes round, <...> iterations so far; node 'less' (Less) decides by 0 and 10
? 1
$ SLUICE_EXEC=frames sluice run endless.pbtxt --timeout 0.2
sluice: Timed out waiting for notification. Waiting: node 'cond' (LoopCond) in iteration <...> of its loop
	 [[{{node cond}}]]
? 1
$ printf 'node { name: "a" op: "Const" device: "/gpu:0" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 7 } } } } node { name: "b" op: "Neg" input: "a" device: "/gpu:0" attr { key: "T" value { type: DT_INT32 } } }' > gpu.pbtxt; sluice run gpu.pbtxt
sluice: Cannot assign a device for operation a: {{node a}} was explicitly assigned to /device:GPU:0 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. Make sure the device specification refers to a valid device.
	 [[a]]
sluice: there are CPU devices only; --soft uses one of them instead
? 1
$ sluice run gpu.pbtxt --soft
b:0  int32 []
-7
$ sed 's/gpu:0/cpu:1/g' gpu.pbtxt > cpu.pbtxt; sluice run cpu.pbtxt 2>&1 | tail -1; sluice run cpu.pbtxt --devices 2
sluice: --devices N gives the session N CPU devices
b:0  int32 []
-7
$ for runs in 1 2 3; do sluice run $DATA/graphs/draw.pbtxt --fetch classes --json --repeat $runs 2>/dev/null; done
{"name":"classes:0","tensor":{"dtype":"int64","shape":[2,5],"value":[[2,3,2,3,0],[1,2,3,3,2]]}}
{"name":"classes:0","tensor":{"dtype":"int64","shape":[2,5],"value":[[0,0,2,1,3],[1,3,3,3,3]]}}
{"name":"classes:0","tensor":{"dtype":"int64","shape":[2,5],"value":[[3,3,3,1,3],[0,1,3,0,3]]}}
$ for runs in 1 2 3; do sluice run $DATA/graphs/draw.pbtxt --fetch box --json --repeat $runs 2>/dev/null; done
{"name":"box:0","tensor":{"dtype":"int32","shape":[3],"value":[14,33,0]}}
{"name":"box:0","tensor":{"dtype":"int32","shape":[3],"value":[2,73,0]}}
{"name":"box:0","tensor":{"dtype":"int32","shape":[3],"value":[27,66,0]}}
$ float='attr { key: "T" value { type: DT_FLOAT } }'; for i in x y; do echo "node { name: \"$i\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: -1 } } } } }"; done >sum.pbtxt; echo "node { name: \"sum\" op: \"AddV2\" input: \"x\" input: \"y\" $float } node { name: \"log\" op: \"Log\" input: \"sum\" $float } debug_info { files: \"net.py\" traces { key: \"sum\" value { file_line_cols { file_index: 0 line: 12 func: \"build\" } } } traces { key: \"log\" value { file_line_cols { file_index: 0 line: 14 } } } }" >>sum.pbtxt; sluice run sum.pbtxt --feed x=[1,2] --feed y=[1,2,3]
sluice: Incompatible shapes: [2] vs. [3]
	 [[{{node sum}}]]
sluice:   node 'sum' (AddV2) reads 'x:0' (float [?]), 'y:0' (float [?])
sluice:   it was made at net.py:12 in build
sluice:   shapes are compared from the last axis on: two lengths must be equal, or one of them 1
? 1
$ sluice run sum.pbtxt --feed x=[1,2] --feed y=[-3,1] --watch-nan 2>&1 | grep -v '^  \|^	'
sluice: Watching numbers: node 'log' (Log) makes a NaN: of the 2 values of output 0 (float [2]) 1 is NaN, the first at 0.
sluice:   input 0 of 'log' is 'sum:0' (AddV2)
sluice:   it was made at net.py:14
sluice:   the logarithm of 0 is infinite, of less NaN: keep what goes in above 0, or take LogSoftmax, Xlogy, or a loss of logits
$ q='node { name: "q" op: "FIFOQueueV2" attr { key: "component_types" value { list { type: DT_FLOAT } } } } node { name: "take" op: "QueueDequeueV2" input: "q" attr { key: "component_types" value { list { type: DT_FLOAT } } } }'; echo "$q debug_info { files: \"input.py\" traces { key: \"take\" value { file_line_cols { file_index: 0 line: 7 func: \"read\" } } } }" >stuck.pbtxt; sluice run stuck.pbtxt --fetch take --explain-stuck 0.2 --timeout 2 2>&1 | head -3
sluice: node 'take' (QueueDequeueV2) waits on '_0_q', which is empty
sluice:   node 'take' was made at input.py:7 in read
sluice:   no node of the graph puts something in
