"""tf.compat.v1.layers and tf.compat.v1.nn.rnn_cell: layers of TensorFlow 1, whose variables are those of variable scopes."""
