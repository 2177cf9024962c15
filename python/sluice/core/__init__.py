"""Tensors, graphs, functions, tapes and variables: what every public function stands on."""
