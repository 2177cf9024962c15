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
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=1' --fetch z
sluice: there is no node 'z' in the graph
sluice: did you mean 'x'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice run $DATA/graphs/count.pbtxt --fetch exit:1
sluice: node 'exit' has 1 outputs, there is no output 1
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
$ sluice run $DATA/graphs/count.pbtxt --time op 2>&1 >/dev/null | awk '{ print $1, $2, $NF }' | sort
AddV2 10 40
Less 11 11
Loop 1 0
op times bytes
total <...>
$ sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 5 --time node 2>&1 >/dev/null | awk '{ print $1, $2, $3, $NF }'
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
