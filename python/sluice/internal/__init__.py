"""What packages that extend TensorFlow import from tensorflow.python, beside the public names.

`modules.py` has the modules that there are: most of their names are public ones. What has no public name is in the other
files here. `as_tensorflow.py` puts the modules in place.
"""
