Where time and memory go: tables, files for other programs, a page, a program that is watched.

$ sluice profile $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 2
a run takes <...>, the first <...> processors work
measured: 2 runs with a trace, <...> each
this machine: <...> GFLOP/s, <...>/s, <...> a node
limits: compute <...>%, memory bandwidth <...>%, dispatch <...>%, waiting <...>%, kernel <...>%
...
op <...>times       time      waits  share      bytes  limit
...
Tanh <...> 2 <...> 16 B  <...>
...
node <...>compute   memory  limit
y <...>
...
thread            works      waits  works
...
memory: the step makes at most 8 B at a time, at <...>; constants 0 B, variables read 0 B
         8 B  float [1,2] made by 'y' (Tanh), held until the end
$ sluice profile $DATA/training/mlp.pb --init --target train --feed x=$DATA/training/mlp.x.npy --feed y=$DATA/training/mlp.y.npy --repeat 3 --html page.html --flames flames.svg --timeline time.json --tensorboard logs --rows 30
...
_FusedMatMul <...>
...
memory: the step makes at most <...>
      <...> held until <...>
...
$ sluice profile $DATA/training/mlp.pb --init --target train --feed x=$DATA/training/mlp.x.npy --feed y=$DATA/training/mlp.y.npy --repeat 3 --flames stacks.txt --rows 1 >/dev/null; grep -c '^[^ ]*;[^ ]* ([A-Za-z0-9_]*) [0-9]*$' stacks.txt | sed 's/[0-9]*/many/'
many
$ python3 -c "import json; e = json.load(open('time.json')); print(sorted({x['ph'] for x in e}), len({x['args']['step'] for x in e if 'args' in x}))"
['X'] 3
$ python3 -c "import xml.dom.minidom as m; print(m.parse('flames.svg').documentElement.tagName)"
svg
$ grep -cE '(src|href)=|@import|url\(' page.html; ls logs/plugins/profile/*/*.xplane.pb | wc -l
0
1
$ sluice profile --live --every 0.2 -- sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 20000 >live.txt 2>&1; grep -c '^at .* steps in ' live.txt | sed 's/[1-9][0-9]*/some/'; grep -m1 -o '^Tanh ' live.txt; grep -m1 -o "^slowest: node 'y' (Tanh), " live.txt
some
Tanh 
slowest: node 'y' (Tanh), 
$ SLUICE_TRACE=$PWD/own.json SLUICE_TRACE_EVERY=64 sluice run $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 100000000 >/dev/null 2>&1 & sleep 0.5; sluice profile --live --pid $! --every 0.3 --reports 5 | grep -o '^Tanh \|^at ' | sort -u; kill $!; wait 2>/dev/null
Tanh 
at 
$ sluice profile --live -- false
at <...> nothing ran, or it is still within a node
? 1
$ sluice profile --live -- /no/such/program
sluice: /no/such/program: No such file or directory
at <...>
? 127
$ sleep 5 & sluice profile --live --pid $!; kill $!
sluice: process <...> writes no trace; start it with SLUICE_TRACE=FILE SLUICE_TRACE_EVERY=64, or by sluice profile --live -- PROGRAM
$ sluice profile --live
sluice: which program? --live -- PROGRAM ARGUMENT..., or --live --pid PID
Try 'sluice profile --help'.
? 2
$ sluice profile $DATA/graphs/tanh.pbtxt --reports 3
sluice: --reports goes with --live
Try 'sluice profile --help'.
? 2
$ sluice profile $DATA/graphs/tanh.pbtxt
sluice: You must feed a value for placeholder tensor 'x' <...>
	 [[{{node x}}]]
sluice: input x (float <...>) was not fed: --feed x=VALUE
? 1
$ sluice profile $DATA/graphs/tanh.pbtxt --feed 'x=[[0, 1]]' --repeat 1 --html /no/such/page.html | tail -1
sluice: /no/such/page.html: No such file or directory
...
$ { cat $DATA/graphs/tanh.pbtxt; echo 'debug_info { files: "/lib/site-packages/ops.py" files: "net.py" traces { key: "y" value { file_line_cols { file_index: 1 line: 3 func: "main" } file_line_cols { file_index: 1 line: 12 func: "build" } file_line_cols { file_index: 0 line: 99 func: "tanh" } } } }'; } >lines.pbtxt; sluice profile lines.pbtxt --feed 'x=[[0, 1]]' --repeat 1 | grep -o 'net.py:.*'
net.py:12 in build
net.py:12 in build <...>
