"""tf.distribute.MultiWorkerMirroredStrategy as far as there is one worker: programs that are written for several run there."""

from __future__ import annotations

from .cluster_resolvers import CommunicationImplementation, CommunicationOptions, TFConfigClusterResolver
from .mirrored_strategy import MirroredStrategy


class MultiWorkerMirroredStrategy(MirroredStrategy):
    """A MirroredStrategy over the devices of one worker: its GPUs, or its first CPU.

    cluster_resolver: says which tasks there are, by default TF_CONFIG. NotImplementedError for several tasks.
    """

    def __init__(self, cluster_resolver=None, communication_options=None):
        from ..platform import config

        self._cluster_resolver = cluster_resolver or TFConfigClusterResolver()
        spec = self._cluster_resolver.cluster_spec()
        tasks = sum(spec.num_tasks(job) for job in spec.jobs)
        if tasks > 1:
            raise NotImplementedError(
                f"tf.distribute.MultiWorkerMirroredStrategy of {tasks} tasks: replicas are those of one process"
            )
        super().__init__([d.name for d in config.list_logical_devices("GPU")] or ["CPU:0"])

    cluster_resolver = property(lambda self: self._cluster_resolver)


class MultiWorkerMirroredStrategyWithCommunication(MultiWorkerMirroredStrategy):
    """The same, as it was when the way of communicating was its first argument."""

    def __init__(self, communication=CommunicationImplementation.AUTO, cluster_resolver=None):
        super().__init__(cluster_resolver, CommunicationOptions(implementation=communication))
