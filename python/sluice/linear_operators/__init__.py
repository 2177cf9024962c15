"""tf.linalg.LinearOperator: matrices that are known by what they do."""
