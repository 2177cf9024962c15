"""Files: tf.io.gfile and TFRecords."""
