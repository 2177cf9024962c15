"""What surrounds programs: devices and options (tf.config), logs, flags, tests, versions."""
