Graphs cut down to what fails: an error, a NaN, a run that does not end, a difference between libraries.

$ float='attr { key: "T" value { type: DT_FLOAT } }'; for i in x y; do echo "node { name: \"$i\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" value { shape { unknown_rank: true } } } }"; done >mm.pbtxt; echo "node { name: \"a\" op: \"Sqrt\" input: \"x\" $float } node { name: \"b\" op: \"Exp\" input: \"y\" $float } node { name: \"p\" op: \"MatMul\" input: \"a\" input: \"b\" $float } node { name: \"z\" op: \"Neg\" input: \"p\" $float } node { name: \"l\" op: \"Log\" input: \"z\" $float }" >>mm.pbtxt; sluice reduce mm.pbtxt small.pbtxt --fetch z --feed x=[[1,2,3],[4,5,6]] --feed y=[[1,2,3,4],[5,6,7,8]]
sluice: it fails: Matrix size-incompatible: In[0]: [2,3], In[1]: [2,4]
	 [[{{node p}}]]
3 of 7 nodes are left, after <...> tries: small.pbtxt
  x = Placeholder
  b = Const
  p = MatMul
it fails: Matrix size-incompatible: In[0]: <...>, In[1]: <...>
	 [[{{node p}}]]
sluice run small.pbtxt --fetch p --feed x:0='[[1<...>]]'
$ sluice reduce mm.pbtxt small.pbtxt --nan --feed x=[[1,2],[4,5]] --feed y=[[1,2],[5,6]]
sluice: it fails: Watching numbers: node 'l' (Log) makes a NaN: <...>
...
2 of 7 nodes are left, after <...> tries: small.pbtxt
  z = Const
  l = Log
it fails: Watching numbers: node 'l' (Log) makes a NaN: of the 1 values of output 0 (float [1,1]) 1 is NaN, the first at 0.
...
sluice run small.pbtxt --fetch l:0 --watch-nan
$ sluice run small.pbtxt --fetch l --watch-nan 2>&1 | head -1
sluice: Watching numbers: node 'l' (Log) makes a NaN: of the 1 values of output 0 (float [1,1]) 1 is NaN, the first at 0.
$ sluice reduce $DATA/graphs/calls.pbtxt small.pbtxt --fetch stuck --feed x=[1,2] 2>/dev/null; grep -c function small.pbtxt
2 of 3 nodes are left, after <...> tries: small.pbtxt
  x = Const
  stuck/replica = TPUReplicatedInput
it fails: No OpKernel was registered to support Op 'TPUReplicatedInput' <...>
...
sluice run small.pbtxt --fetch stuck/replica
0
? 1
$ q='node { name: "q" op: "FIFOQueueV2" attr { key: "component_types" value { list { type: DT_FLOAT } } } } node { name: "take" op: "QueueDequeueV2" input: "q" attr { key: "component_types" value { list { type: DT_FLOAT } } } }'; echo "$q node { name: \"more\" op: \"Neg\" input: \"take\" attr { key: \"T\" value { type: DT_FLOAT } } }" >stuck.pbtxt; sluice reduce stuck.pbtxt small.pb --timeout 0.1 --fetch more 2>/dev/null
2 of 3 nodes are left, after <...> tries: small.pb
  q = FIFOQueueV2
  take = QueueDequeueV2
it fails: Timed out waiting for notification. Waiting: node 'take' (QueueDequeueV2) waits on '_0_q', which is empty (no node of the graph puts something in)
sluice run small.pb --fetch take --timeout 0.1
$ sluice reduce mm.pbtxt small.pbtxt --feed x=[[1]] --feed y=[[1]]
sluice: nothing fails: --nan looks at the numbers, --library FILE compares, --timeout SECONDS waits
? 1
$ sluice reduce mm.pbtxt --feed x=[[1]]
sluice: which graph, and which file shall hold the smaller one?
Try 'sluice reduce --help'.
? 2
$ sluice reduce mm.pbtxt /no/such/small.pbtxt --nan --feed x=[[1]] --feed y=[[1]] 2>&1 | tail -1
sluice: /no/such/<...>
