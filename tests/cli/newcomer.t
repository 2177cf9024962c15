From a Keras model to a trained, frozen graph without variables, as docs/keras.md and the manual tell it: the
model was exported in Python with a signature that serves and one that trains; the examples are arrays that NumPy saved.

$ cp -r $DATA/saved_model/keras model && cp $DATA/training/cnn.x.npy images.npy && cp $DATA/training/cnn.y.npy labels.npy
$ sluice show model | grep -v '^ *[0-9]'
tags      serve
signature serving_default  tensorflow/serving/predict
  inputs    image                    float [?,8,8,1]              serving_default_image:0
  outputs   output_0                 float [?,10]                 StatefulPartitionedCall:0
signature train  tensorflow/serving/predict
  inputs    image                    float [?,8,8,1]              train_image:0
            label                    int32 [?]                    train_label:0
  outputs   loss                     float []                     StatefulPartitionedCall_1:0
nodes     218 of 44 types, 172 of them in 6 functions
variables _CHECKPOINTABLE_OBJECT_GRAPH                             string []
          _all_variables/0/.ATTRIBUTES/VARIABLE_VALUE              float [3,3,1,4]
          _all_variables/1/.ATTRIBUTES/VARIABLE_VALUE              float [10]
          _all_variables/2/.ATTRIBUTES/VARIABLE_VALUE              float [4]
          _all_variables/3/.ATTRIBUTES/VARIABLE_VALUE              float [144,10]
          variables/0/.ATTRIBUTES/VARIABLE_VALUE                   float [3,3,1,4]
          variables/1/.ATTRIBUTES/VARIABLE_VALUE                   float [4]
          variables/2/.ATTRIBUTES/VARIABLE_VALUE                   float [144,10]
          variables/3/.ATTRIBUTES/VARIABLE_VALUE                   float [10]
$ sluice show model --nodes | awk '$2 == "Conv2D" { print $1, $3, $4 }'
StatefulPartitionedCall/StatefulPartitionedCall/sequential_1/conv2d_1/convolution float [?,?,?,?]
StatefulPartitionedCall_1/StatefulPartitionedCall/sequential_1/conv2d_1/convolution float [?,?,?,?]
$ sluice show model --svg > model.svg && grep -c '<svg' model.svg
1
$ sluice run model --feed image=images.npy | head -1
output_0  float [48,10]
$ sluice run model --feed image=$DATA/pictures/flag.bmp --json
sluice: feed image: <...>/flag.bmp: 4 x 2 pixels resized to 8 x 8, 1 channel, values 0..1
{"name":"output_0","tensor":{"dtype":"float","shape":[1,10],"value":[[0.0<...>]]}}
$ sluice run model --feed image=images.npy --fetch StatefulPartitionedCall/StatefulPartitionedCall/sequential_1/conv2d_1/Relu | head -1
StatefulPartitionedCall/StatefulPartitionedCall/sequential_1/conv2d_1/Relu  float [48,6,6,4]
$ sluice run model --feed images=images.npy
sluice: there is no 'images' in the signature, and no such node in the graph
sluice: did you mean 'image'?
sluice: the signature serving_default has
sluice:   inputs  image
sluice:   outputs output_0
? 1
$ sluice train model --feed image=images.npy --feed label=labels.npy --batch 16 --steps 60 --report 30 --save run --every 20
step 30  loss 0.0<...>
step 60  loss 0.0<...>
60 steps in <...> s, <...> a second; saved run/model.ckpt-60
$ sluice train model --feed image=images.npy --feed label=labels.npy --batch 16 --steps 80 --report 20 --save run --resume
step 80  loss 0.0<...>
20 steps in <...> s, <...> a second; saved run/model.ckpt-80
$ sluice ckpt ls run
_CHECKPOINTABLE_OBJECT_GRAPH                             string []
_all_variables/0/.ATTRIBUTES/VARIABLE_VALUE              float [3,3,1,4]
_all_variables/1/.ATTRIBUTES/VARIABLE_VALUE              float [10]
_all_variables/2/.ATTRIBUTES/VARIABLE_VALUE              float [4]
_all_variables/3/.ATTRIBUTES/VARIABLE_VALUE              float [144,10]
variables/0/.ATTRIBUTES/VARIABLE_VALUE                   float [3,3,1,4]
variables/1/.ATTRIBUTES/VARIABLE_VALUE                   float [4]
variables/2/.ATTRIBUTES/VARIABLE_VALUE                   float [144,10]
variables/3/.ATTRIBUTES/VARIABLE_VALUE                   float [10]
$ sluice ckpt verify run
9 of 9 tensors are sound
$ sluice ckpt cat run variables/1/.ATTRIBUTES/VARIABLE_VALUE | tr -d '[:digit:].-'
[, , , ]
$ cmp <(sluice ckpt cat run variables/1/.ATTRIBUTES/VARIABLE_VALUE) <(sluice ckpt cat run _all_variables/2/.ATTRIBUTES/VARIABLE_VALUE) && echo the same
the same
$ sluice run model --signature train --feed image=images.npy --feed label=labels.npy --fetch loss | tail -1 > before; \
sluice run model --checkpoint run --signature train --feed image=images.npy --feed label=labels.npy --fetch loss | tail -1 > after; \
sort -g after before | cmp - <(cat after before) && echo less than before
less than before
$ sluice freeze model frozen.pb --checkpoint run
input   image = serving_default_image:0
output  output_0 = StatefulPartitionedCall:0
$ sluice show frozen.pb | grep -v '^ *[0-9]'
inputs    serving_default_image                float [?,8,8,1]              Placeholder
outputs   StatefulPartitionedCall              float [?,10]                 StatefulPartitionedCall
nodes     32 of 15 types, 26 of them in 2 functions
$ sluice run frozen.pb --feed serving_default_image=images.npy --fetch StatefulPartitionedCall=frozen.npy && \
sluice run model --checkpoint run --feed image=images.npy --fetch output_0=model.npy && cmp frozen.npy model.npy
$ sluice run frozen.pb --feed serving_default_image=images.npy --repeat 3 --time op 2>&1 >/dev/null | grep -c 'Conv2D\|^3 runs'
2
