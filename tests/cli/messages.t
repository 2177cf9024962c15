What is said when a name, a file or an option is wrong.

$ sluice show $DATA/saved_model/functions --signature x --place
sluice: the graph has no signature 'x'; 'sluice show' lists them
? 1
$ sluice run $DATA/saved_model/functions --signature lookpu
sluice: the graph has no signature 'lookpu'; 'sluice show' lists them
sluice: did you mean 'lookup'?
? 1
$ sluice run $DATA/saved_model/main_op --feed X=[1] --fetch y
sluice: there is no 'X' in the signature, and no such node in the graph
sluice: did you mean 'x' or 'y'?
sluice: the signature serving_default has
sluice:   inputs  x
sluice:   outputs words, y
? 1
$ sluice run $DATA/saved_model/main_op --feed x=[1] --fetch word
sluice: there is no 'word' in the signature, and no such node in the graph
sluice: did you mean 'words', 'words/Initializer/initial_value' or 'words/IsInitialized/VarIsInitializedOp'?
sluice: the signature serving_default has
sluice:   inputs  x
sluice:   outputs words, y
? 1
$ sluice run $DATA/saved_model/main_op --feed x=[1] --target nothing/like/it
sluice: there is no node 'nothing/like/it' in the graph
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice run $DATA/graphs/count.pbtxt --fetch Exit
sluice: there is no node 'Exit' in the graph
sluice: did you mean 'exit'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice run $DATA/graphs/count.pbtxt --fetch exi:0
sluice: there is no node 'exi' in the graph
sluice: did you mean 'exit' or 'next'?
sluice: 'sluice show GRAPH' lists inputs and outputs, 'sluice show --nodes GRAPH' all nodes
? 1
$ sluice ops Matmul
sluice: there is no op 'Matmul'; 'sluice ops' lists all
sluice: did you mean 'MatMul'?
? 1
$ sluice ops Tanh Sigmoid
sluice: one op at a time, please: 'Tanh' and 'Sigmoid'
Try 'sluice ops --help'.
? 2
$ sluice ckpt cat $DATA/saved_model/functions scale
sluice: Key scale not found in checkpoint
sluice: did you mean 'scale/.ATTRIBUTES/VARIABLE_VALUE'?
sluice: 'sluice ckpt ls <...>/saved_model/functions' lists the tensors
? 1
$ sluice shwo x.pb
sluice: there is no command 'shwo'
sluice: did you mean 'show'?
Try 'sluice --help'.
? 2
$ sluice help rnu
sluice: there is no command 'rnu'
sluice: did you mean 'run'?
Try 'sluice --help'.
? 2
$ sluice help run show
sluice: one command at a time, please: 'run' and 'show'
Try 'sluice --help'.
? 2
$ sluice run --fech y x.pb
sluice: unknown option --fech
sluice: did you mean '--fetch' or '--feed'?
Try 'sluice run --help'.
? 2
$ sluice ckpt lst
sluice: there is no action 'lst'
sluice: did you mean 'ls' or 'cat'?
sluice: say what to do: ls, show, verify, cat, merge or convert
Try 'sluice ckpt --help'.
? 2
$ sluice run $DATA/graphs/tanh.pbtxt --feed x
sluice: --feed wants NAME=VALUE, not 'x'
Try 'sluice run --help'.
? 2
$ sluice train $DATA/training/mlp.pb --feed x
sluice: --feed wants NAME=VALUE, not 'x'
Try 'sluice train --help'.
? 2
$ sluice train $DATA/training/mlp.pb --step x
sluice: node 'x' is a placeholder: it takes a value and does nothing
? 1
$ printf 'PK\3\4......' | tee model.keras arrays.npz model.pth other.zip > /dev/null
$ printf '\211HDF\r\n\032\n....' | tee model.h5 model.weights.h5 > /dev/null
$ printf '\034\0\0\0TFL3....' > model.tflite; printf '\010\010x' > model.onnx; printf '\223NUMPY' > array.npy
$ printf '\037\213' > graph.pb.gz; : > empty.pb; cp $DATA/ckpt/types.* .
$ for file in model.keras model.h5 model.weights.h5 model.tflite model.onnx model.pth other.zip arrays.npz array.npy graph.pb.gz empty.pb; do sluice show $file; done
sluice: model.keras: this is a Keras model: in Python, keras.saving.load_model(FILE).export(DIRECTORY) makes a SavedModel of it
sluice: model.h5: this is an HDF5 file; of a Keras model, keras.saving.load_model(FILE).export(DIRECTORY) in Python makes a SavedModel
sluice: model.weights.h5: this is the weights of a Keras model without its graph: load them into the model in Python, and model.export(DIRECTORY)
sluice: model.tflite: this is a TensorFlow Lite model, from which no graph can be had: take the SavedModel that it was made of
sluice: model.onnx: this is an ONNX model: converters such as onnx2tf make a SavedModel of it
sluice: model.pth: this is a PyTorch model: export it to ONNX, and convert that to a SavedModel
sluice: other.zip: this is a zip archive: unpack it first
sluice: arrays.npz: this is an archive of NumPy arrays: numpy.save writes one alone, for --feed NAME=FILE.npy
sluice: array.npy: this is a NumPy array: --feed NAME=FILE.npy feeds it to a graph
sluice: graph.pb.gz: this is compressed by gzip: unpack it first
sluice: empty.pb: this is an empty file
? 1
$ sluice run $DATA/pictures/flag.png
sluice: <...>/pictures/flag.png: this is a picture: --feed NAME=FILE feeds it to a graph
? 1
$ sluice show $DATA/saved_model/main_op/saved_model.pbtxt
sluice: <...>/saved_model/main_op/saved_model.pbtxt: this is part of a SavedModel, which is its whole directory: name that
? 1
$ sluice run types.index; sluice run types.data-00000-of-00001
sluice: types.index: this is part of a checkpoint, which has no graph: 'sluice ckpt ls PREFIX' lists its tensors
sluice: types.data-00000-of-00001: this is part of a checkpoint, which has no graph: 'sluice ckpt ls PREFIX' lists its tensors
? 1
$ sluice train empty.pb
sluice: empty.pb: this is an empty file
? 1
$ sluice freeze model.keras out.pb
sluice: model.keras: this is a Keras model: in Python, keras.saving.load_model(FILE).export(DIRECTORY) makes a SavedModel of it
? 1
$ sluice freeze nothing out.pb
sluice: nothing; No such file or directory
? 1
$ sluice ckpt ls model.h5
sluice: model.h5: this is an HDF5 file; of a Keras model, keras.saving.load_model(FILE).export(DIRECTORY) in Python makes a SavedModel
? 1
$ sluice ckpt verify empty.pb
sluice: empty.pb: this is an empty file
? 1
$ mkdir model && : > model/saved_model.pb && sluice show model && sluice run model
sluice: model/saved_model.pb: this is an empty file
? 1
$ sluice run model
sluice: model/saved_model.pb: this is an empty file
? 1
$ mkdir run && printf 'model_checkpoint_path: "model.ckpt-1"\n' > run/checkpoint && sluice show run
sluice: Could not find SavedModel .pb or .pbtxt at supplied export directory path: run. Check that the directory exists and that you have the right permissions for accessing it.
sluice: there are checkpoints: 'sluice ckpt ls run'
? 1
$ sluice run $DATA/graphs/inputs.pbtxt --feed real=arrays.npz
sluice: feed real: no number at character 1 of 'arrays.npz'
sluice: arrays.npz: this is an archive of NumPy arrays: numpy.save writes one alone, for --feed NAME=FILE.npy
? 1
$ sluice train $DATA/graphs/tanh.pbtxt
sluice: which node is the training step? There is none called train; --step names another
? 1
$ sluice train $DATA/graphs/tanh.pbtxt --batch 4 --feed x=1
sluice: --batch cuts .npy files, and none is fed
Try 'sluice train --help'.
? 2
$ sluice run $DATA/saved_model/main_op --fetch scale
sluice: 'scale' is a resource, which has no value to print
sluice: for the value of the variable: --fetch scale/Read/ReadVariableOp
? 1
$ sluice run $DATA/saved_model/main_op --fetch scale/Read/ReadVariableOp
scale/Read/ReadVariableOp  float []
0.5
