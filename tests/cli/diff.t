Two graphs node by node: the first that differs, how much, and what was not compared.

$ sluice diff $DATA/graphs/inputs.pbtxt $DATA/graphs/inputs.pbtxt
outputs: 15 equal, 0 different; 201 values compared
$ sed 's/Tanh/Sigmoid/' $DATA/graphs/tanh.pbtxt >other.pbtxt; sluice diff $DATA/graphs/tanh.pbtxt other.pbtxt --feed 'x=[[0, 1]]'
y (Tanh in A, Sigmoid in B) differs: output 0, float [1,2]
  2 of 2 elements, by 0.5 at most, at [0,0]: 0 in A, 0.5 in B
outputs: 0 equal before the one that differs; 2 values compared
? 1
$ sluice diff $DATA/graphs/tanh.pbtxt other.pbtxt --feed 'x=[[0, 1]]' --tolerance 1
outputs: 1 equal, 0 different; 2 values compared
$ cp $DATA/graphs/dice.pbtxt a.pbtxt; sluice diff a.pbtxt a.pbtxt
outputs: 5 equal, 0 different; 9 values compared; not compared: nodes 1 stateful, 1 behind stateful ones
$ sed 's/int_val: 1 /int_val: 2 /' a.pbtxt >b.pbtxt; sluice diff a.pbtxt b.pbtxt --all --feed x=[1,2,3]
one (Const) differs: output 0, int32 []
  1 of 1 elements, by 1 at most, at []: 1 in A, 2 in B
  it is input 1 of 'more' (AddV2)
more (AddV2) differs: output 0, int32 [3]
  3 of 3 elements, by 1 at most, at [0]: 2 in A, 3 in B
twice (AddV2) differs: output 0, int32 [3]
  3 of 3 elements, by 2 at most, at [0]: 4 in A, 6 in B
outputs: 2 equal, 3 different; 9 values compared; not compared: nodes 1 stateful, 1 behind stateful ones
? 1
$ sed '/"more"/s/AddV2/FloorDiv/; s/int_val: 1 /int_val: 0 /; /"twice"/s/"more"/"x"/' a.pbtxt >c.pbtxt; sluice diff c.pbtxt c.pbtxt; sed '/"more"/s/FloorDiv/AddV2/' c.pbtxt >d.pbtxt; sluice diff c.pbtxt d.pbtxt
outputs: <...> equal, 0 different; <...>
more (FloorDiv in A, AddV2 in B) differs:
  A fails: Integer division by zero
...
  B gives a value
outputs: <...> equal before the one that differs; <...>
? 1
$ sluice diff $DATA/saved_model/keras $DATA/saved_model/keras
outputs: <...> equal, 0 different; <...>
$ sluice diff a.pbtxt
sluice: which two graphs? Or which one, and which --library?
Try 'sluice diff --help'.
? 2
$ sed '/luck/d; s/size: 3 }/size: 300000000 }/' a.pbtxt >large.pbtxt; sluice diff large.pbtxt a.pbtxt
sluice: input 'x' is too large for made-up values; --feed x=VALUE
? 2
$ sluice diff a.pbtxt missing.pbtxt
sluice: missing.pbtxt<...>
? 2
$ sluice diff a.pbtxt --library /no/such.so
sluice: /no/such.so: cannot open shared object file: No such file or directory
? 2
$ sluice diff a.pbtxt a.pbtxt --feed nothing=1
sluice: there is no node 'nothing' in the graph
...
? 2
$ sed 's/op: "Mul"/op: "AddV2"/' $DATA/graphs/calls.pbtxt >g.pbtxt; sluice diff $DATA/graphs/calls.pbtxt g.pbtxt
y/scale/times (Mul in A, AddV2 in B) differs: output 0, float [2]
  2 of 2 elements, by 2.98 at most, at [1]: -1.96237004 in A, 1.01881504 in B
outputs: 2 equal before the one that differs; 4 values compared
? 1
$ sed '/"most"/s/Maximum/Minimum/' $DATA/graphs/while_function.pbtxt >w.pbtxt; sluice diff $DATA/graphs/while_function.pbtxt w.pbtxt --feed x=2.5
loop/body/most (Maximum in A, Minimum in B) differs in iteration 1 of loop 'loop': output 0, float []
  1 of 1 elements, by 5 at most, at []: 10 in A, 5 in B
outputs: 20 equal before the one that differs; 21 values compared, in 2 iterations of loops
? 1
