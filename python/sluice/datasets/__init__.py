"""Input pipelines: datasets, their iterators and options. A dataset is a variant tensor and the spec of its elements."""
