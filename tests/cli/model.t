SavedModels: what is in one, running a signature.

$ sluice show $DATA/saved_model/main_op
tags      serve
signature serving_default  tensorflow/serving/predict
  inputs    x                        float [?]                    x:0
  outputs   words                    string []                    Identity:0
            y                        float [?]                    y:0
tags      train,gpu
variables offset                                                   float []
          scale                                                    float []
          words                                                    string []
$ sluice show $DATA/saved_model/functions
tags      serve
signature serving_default  tensorflow/serving/predict
  inputs    x                        float [2]                    serving_default_x:0
  outputs   count                    int32 []                     StatefulPartitionedCall:0
            y                        float [2]                    StatefulPartitionedCall:1
variables _CHECKPOINTABLE_OBJECT_GRAPH                             string []
          count/.ATTRIBUTES/VARIABLE_VALUE                         int32 []
          scale/.ATTRIBUTES/VARIABLE_VALUE                         float [2]
$ sluice show $DATA/saved_model/functions --dot
sluice: a SavedModel is shown as a table
Try 'sluice show --help'.
? 2
$ sluice run $DATA/saved_model/main_op --feed 'x=[1, 4]'
words  string []
"one two"
y  float [2]
[2.5, 4]
$ sluice run $DATA/saved_model/functions --signature serving_default --feed 'x=[1, 10]' --fetch y --repeat 3 2>/dev/null
y  float [2]
[3, 40]
$ sluice run $DATA/saved_model/functions --feed 'x=[1, 10]' --fetch count --json
{"name":"count","tensor":{"dtype":"int32","shape":[],"value":1}}
$ sluice run $DATA/saved_model/main_op --tags train,gpu --feed 'x=[1, 2]' --fetch y
y:0  float [2]
[2.5, 3]
$ sluice run $DATA/saved_model/main_op --tags nobody
sluice: the model has no graph with the tags 'nobody'; 'sluice show' lists them
? 1
$ sluice run $DATA/saved_model/main_op --signature nobody
sluice: the graph has no signature 'nobody'; 'sluice show' lists them
? 1
$ sluice run $DATA/graphs/tanh.pbtxt --signature nobody
sluice: --tags and --signature are for SavedModels, and '<...>/graphs/tanh.pbtxt' is none
Try 'sluice run --help'.
? 2
$ sluice show $DATA/graphs/..
sluice: Could not find SavedModel .pb or .pbtxt at supplied export directory path: <...>/graphs/... Check that the directory exists and that you have the right permissions for accessing it.
? 1
