"""SyncReplicasOptimizer: gradients of several replicas are averaged before they are applied; here, of one process."""

from __future__ import annotations

from ..compat import v1
from ..core import dtypes, graph, scopes
from ..core.indexed_slices import IndexedSlices
from . import queue_runner, session_hooks, training_variables
from .optimizer import Optimizer


class SyncReplicasOptimizer(Optimizer):
    """Collects replicas_to_aggregate gradients of each variable, and applies their means. Graphs only.

    A replica goes on when it gets a token, of which a step gives one to each of total_num_replicas. The chief needs
    `get_chief_queue_runner` started, or the hook of `make_session_run_hook`.
    """

    def __init__(
        self,
        opt,
        replicas_to_aggregate,
        total_num_replicas=None,
        variable_averages=None,
        variables_to_average=None,
        use_locking=False,
        name="sync_replicas",
    ):
        super().__init__(use_locking, name)
        if (variable_averages is None) != (variables_to_average is None):
            raise ValueError("variable_averages and variables_to_average must both be given, or neither")
        self._opt, self._replicas_to_aggregate = opt, replicas_to_aggregate
        self._total_num_replicas = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        self._tokens_per_step = max(self._total_num_replicas, replicas_to_aggregate)
        self._variable_averages, self._variables_to_average = variable_averages, variables_to_average
        self._gradients_applied = False
        self._global_step = self._local_step = self._sync_token_queue = self._chief_queue_runner = None
        self.local_step_init_op = self.chief_init_op = self.ready_for_local_init_op = None

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Hands gradients over, and waits for the next step. ValueError without gradients or a global step."""
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        self._local_step = training_variables.variable(
            0,
            "sync_rep_local_step",
            use_resource=False,
            collections=[v1.GraphKeys.LOCAL_VARIABLES],
            dtype=global_step.dtype.base_dtype,
        )
        self.local_step_init_op = v1.assign(self._local_step, global_step)
        self.ready_for_local_init_op = v1.report_uninitialized_variables(v1.global_variables())
        with v1.name_scope(None, self._name):
            put, means, accumulators = [], [], []
            for g, v in pairs:
                if g is None:
                    means.append((None, v))
                    continue
                with scopes.device(v.device):
                    accumulator, done, mean = self._collect(g, v)
                accumulators.append(accumulator)
                put.append(done)
                means.append((mean, v))
            update = self._opt.apply_gradients(means, global_step)
            if self._variable_averages is not None:
                with scopes.control_dependencies([update]):
                    update = self._variable_averages.apply(self._variables_to_average)
            with scopes.device(global_step.device):  # where all replicas find the tokens
                queue = v1.FIFOQueue(
                    -1, global_step.dtype.base_dtype, shapes=(), name="sync_token_q", shared_name="sync_token_q"
                )
                self._sync_token_queue = queue
                with scopes.control_dependencies([update]):
                    tokens = v1.fill([self._tokens_per_step], _value_of(global_step))
                    give = queue.enqueue_many((tokens,))
                with scopes.control_dependencies(put):
                    token = queue.dequeue()
                dummy = v1.FIFOQueue(1, [dtypes.int32], shapes=[[]], name="dummy_queue", shared_name="dummy_queue")
            train = v1.assign(self._local_step, token)
            self._chief_queue_runner = queue_runner.QueueRunner(dummy, [give])
            self.chief_init_op = v1.group(*[a.set_global_step(global_step, name="SetGlobalStep") for a in accumulators])
            self._gradients_applied = True
            return train.op if hasattr(train, "op") else train

    def _collect(self, gradient, variable):
        """(what collects, the operation that hands a gradient over, the mean of all)."""
        if isinstance(gradient, IndexedSlices):
            accumulator = v1.SparseConditionalAccumulator(
                gradient.dtype, shape=(), shared_name=variable.name.replace(":", "_") + "/grad_accum"
            )
            done = accumulator.apply_indexed_slices_grad(gradient, local_step=self._local_step)
            return accumulator, done, accumulator.take_indexed_slices_grad(self._replicas_to_aggregate)
        accumulator = v1.ConditionalAccumulator(
            gradient.dtype, shape=variable.get_shape(), shared_name=variable.name.replace(":", "_") + "/grad_accum"
        )
        done = accumulator.apply_grad(gradient, local_step=self._local_step)
        return accumulator, done, accumulator.take_grad(self._replicas_to_aggregate)

    def _applied(self):
        if not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")

    def get_chief_queue_runner(self):
        """The thread that applies the means."""
        self._applied()
        return self._chief_queue_runner

    def get_init_tokens_op(self, num_tokens=-1):
        """Gives the first tokens: by default as many as let all replicas begin."""
        self._applied()
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)")
        if num_tokens <= 0:
            return v1.no_op(name="no_init_tokens")
        with graph.init_scope():
            return self._sync_token_queue.enqueue_many((v1.fill([num_tokens], _value_of(self._global_step)),))

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        """A hook that gives the first tokens, and starts the chief's thread."""
        return _SyncHook(self, is_chief, num_tokens)

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self):
        return self._opt.variables()


def _value_of(global_step):
    """The step's value, as a tensor."""
    return v1.identity(global_step)


class _SyncHook(session_hooks.SessionRunHook):
    def __init__(self, optimizer, is_chief, num_tokens):
        self._optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens

    def begin(self):
        self._init_tokens = self._runner = None
        if self._is_chief:
            self._init = self._optimizer.chief_init_op
            self._init_tokens = self._optimizer.get_init_tokens_op(self._num_tokens)
            self._runner = self._optimizer.get_chief_queue_runner()
        else:
            self._init = self._optimizer.local_step_init_op

    def after_create_session(self, session, coord):
        session.run(self._optimizer.local_step_init_op)
        session.run(self._init)
        if self._is_chief:
            session.run(self._init_tokens)
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
