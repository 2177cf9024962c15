Several devices: running, where nodes go, what each device runs, what goes between them.

$ sluice show $DATA/plans/two_products.pbtxt --place --nodes
placed
device       nodes       time    sends      bytes receives      bytes
CPU:0            6 <...>        2    16.4 kB        1    16.4 kB
CPU:1            3 <...>        1    16.4 kB        2    16.4 kB

why              1  by default
                 2  fed or fetched
                 5  asked for it
                 1  its readers are there

from       to         kind              bytes  tensor
CPU:0      CPU:1      data            16.4 kB  x
CPU:0      CPU:1      control             0 B  ready
CPU:1      CPU:0      data            16.4 kB  t1

node  op      device           time  why
x     _Arg    CPU:0 <...>  fed or fetched
w0    Const   CPU:0 <...>  asked for it
w1    Const   CPU:1 <...>  its readers are there
h0    MatMul  CPU:0 <...>  asked for it
h1    MatMul  CPU:1 <...>  asked for it
ready NoOp    CPU:0 <...>  asked for it
t1    Tanh    CPU:1 <...>  asked for it
sum   AddV2   CPU:0 <...>  by default
sum   _Retval CPU:0 <...>  fed or fetched
$ sluice show $DATA/plans/two_products.pbtxt --place --cost --devices 3 --nodes
placed
device       nodes       time    sends      bytes receives      bytes
CPU:0            5 <...>        3    32.8 kB        1    16.4 kB
CPU:1            4 <...>        1    16.4 kB        3    32.8 kB
CPU:2            0 <...>        0        0 B        0        0 B

why              2  fed or fetched
                 5  asked for it
                 1  its readers are there
                 1  near its input: takes less than a transfer

from       to         kind              bytes  tensor
CPU:0      CPU:1      data            16.4 kB  x
CPU:0      CPU:1      data            16.4 kB  h0
CPU:0      CPU:1      control             0 B  ready
CPU:1      CPU:0      data            16.4 kB  sum

node  op      device           time  why
x     _Arg    CPU:0 <...>  fed or fetched
w0    Const   CPU:0 <...>  asked for it
w1    Const   CPU:1 <...>  its readers are there
h0    MatMul  CPU:0 <...>  asked for it: done on CPU:0 after <...>
h1    MatMul  CPU:1 <...>  asked for it: done on CPU:1 after <...>
ready NoOp    CPU:0 <...>  asked for it: done on CPU:0 after <...>
t1    Tanh    CPU:1 <...>  asked for it: done on CPU:1 after <...>
sum   AddV2   CPU:1 <...>  near its input: takes less than a transfer: done on CPU:0 after <...>, CPU:1 after <...>
sum   _Retval CPU:0 <...>  fed or fetched
$ sluice show $DATA/plans/two_products.pbtxt --partition
cut, after the passes that optimise
device       nodes       time    sends      bytes receives      bytes
CPU:0           10 <...>        2    16.4 kB        1    16.4 kB
CPU:1            6 <...>        1    16.4 kB        2    16.4 kB

from       to         kind              bytes  tensor
CPU:0      CPU:1      data            16.4 kB  x
CPU:0      CPU:1      control             0 B  ready
CPU:1      CPU:0      data            16.4 kB  t1
$ sluice show $DATA/plans/two_products.pbtxt --partition --feed h0=1 --fetch t1
cut, after the passes that optimise
device       nodes       time    sends      bytes receives      bytes
CPU:0            8 <...>        2    16.4 kB        1    16.4 kB
CPU:1            6 <...>        1    16.4 kB        2    16.4 kB

from       to         kind              bytes  tensor
CPU:0      CPU:1      data            16.4 kB  x
CPU:0      CPU:1      control             0 B  ready
CPU:1      CPU:0      data            16.4 kB  t1
$ sluice show $DATA/plans/spread_loop.pbtxt --place --partition
placed
device       nodes       time    sends      bytes receives      bytes
CPU:0           16 <...>        4       5 B+        2       0 B+
CPU:1            3 <...>        2       0 B+        4       5 B+

why              8  by default
                 1  fed or fetched
                 2  asked for it
                 3  its input is there
                 3  its readers are there
                 2  its loop is there

loops      count, on CPU:0 CPU:1

from       to         kind              bytes  tensor
CPU:0      CPU:1      data                  ?  enter   (in count)
CPU:0      CPU:1      data                4 B  enter_one   (in count)
CPU:0      CPU:1      data                1 B  cond   (in count)
CPU:0      CPU:1      may be dead           ?  next   (in count)
CPU:1      CPU:0      data                  ?  merge   (in count)
CPU:1      CPU:0      may be dead           ?  add   (in count)

cut, after the passes that optimise
device       nodes       time    sends      bytes receives      bytes
CPU:0           23 <...>        3        9 B        2       0 B+
CPU:1           16 <...>        2       0 B+        3        9 B

loops      count, on CPU:0 (with a loop of its own) CPU:1 (with a loop of its own)

from       to         kind              bytes  tensor
CPU:0      CPU:1      data                4 B  zero
CPU:0      CPU:1      data                4 B  one
CPU:0      CPU:1      data                1 B  cond   (in count)
CPU:1      CPU:0      data                  ?  merge   (in count)
CPU:1      CPU:0      may be dead           ?  add   (in count)
$ sluice show $DATA/plans/two_products.pbtxt --partition --dot --target ready
digraph plan {
  node [shape=box, style="rounded,filled", fontname="sans-serif"];
  subgraph cluster_0 {
    label="CPU:0";
      n0 [label="x\n_Arg", fillcolor="#cfe8ff"];
      n1 [label="ready\nNoOp", fillcolor="#ffffff"];
  }
  subgraph cluster_1 {
    label="CPU:1";
  }
}
$ sluice show $DATA/graphs/tanh.pbtxt --partition --devices 2
cut, after the passes that optimise
device       nodes       time    sends      bytes receives      bytes
CPU:0            3 <...>        0        0 B        0        0 B
CPU:1            0 <...>        0        0 B        0        0 B
$ sluice show $DATA/saved_model/main_op --place --devices 2 --signature serving_default
placed
device       nodes       time    sends      bytes receives      bytes
CPU:0           12 <...>        0        0 B        0        0 B
CPU:1            0 <...>        0        0 B        0        0 B

why             12  by default
$ sluice show $DATA/plans/two_products.pbtxt --place --devices 1
sluice: Cannot assign a device for operation h1: {{node h1}} was explicitly assigned to /device:CPU:1 but available devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. Make sure the device specification refers to a valid device.
	 [[h1]]
sluice: --devices N gives the session N CPU devices
? 1
$ sluice show $DATA/plans/two_products.pbtxt --place --devices 1 --soft
placed
device       nodes       time    sends      bytes receives      bytes
CPU:0            9 <...>        0        0 B        0        0 B

why              1  by default
                 2  fed or fetched
                 3  asked for it
                 2  what it asked for is not there
                 1  its readers are there
$ sed 's/op: "Tanh"/op: "Tanh" attr { key: "_class" value { list { s: "loc:@h0" } } }/' $DATA/plans/two_products.pbtxt | sluice show /dev/stdin --place
sluice: Cannot colocate nodes {{colocation_node t1}} and {{colocation_node h0}}: Cannot merge devices with incompatible ids: '/device:CPU:1' and '/device:CPU:0'
	 [[{{node t1}}]]
? 1
$ sluice show $DATA/plans/two_products.pbtxt --place --devices 0
sluice: --devices wants a number from 1 to 1024, not '0'
Try 'sluice show --help'.
? 2
$ sluice show $DATA/plans/two_products.pbtxt --devices 2
sluice: --devices is for --place and --partition
Try 'sluice show --help'.
? 2
$ sluice show $DATA/plans/two_products.pbtxt --place --partition --svg
sluice: a picture is of --place or of --partition
Try 'sluice show --help'.
? 2
$ sluice show $DATA/plans/two_products.pbtxt --place --tags serve
sluice: --tags and --signature are for SavedModels, and '<...>' is none
Try 'sluice show --help'.
? 2
$ sluice show $DATA/plans/two_products.pbtxt --place --fetch h3
sluice: there is no node 'h3' in the graph
sluice: did you mean 'h0' or 'h1'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice show /dev/null --place
sluice: the graph has no nodes
? 1
$ echo 'node { name: "a" op: "NoOp" }' | sluice show /dev/stdin --place
sluice: the graph has no result to fetch; name one with --fetch or --target
? 1
$ sluice run --devices 2 $DATA/plans/spread_loop.pbtxt
total:0  int32 []
55
$ sluice run $DATA/plans/spread_loop.pbtxt 2>&1 | tail -1
sluice: --devices N gives the session N CPU devices
