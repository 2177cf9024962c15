"""Training as compat.v1 has it: optimizers, savers, sessions that recover, hooks, queues' threads, summaries."""
