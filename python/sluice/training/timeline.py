"""Traces of steps as Chrome's tracer (chrome://tracing) reads them."""

from __future__ import annotations

import json


def chrome_trace(step_stats) -> str:
    """JSON of a StepStats: a process for each device, an event for each node that ran."""
    events = []
    for pid, device in enumerate(step_stats.dev_stats):
        events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": f"{device.device} Compute"}})
        for node in device.node_stats:
            name, _, rest = node.timeline_label.partition(" = ")
            kind = rest.partition("(")[0] or node.node_name
            events.append(
                {
                    "ph": "X",
                    "cat": "Op",
                    "name": kind,
                    "pid": pid,
                    "tid": node.thread_id,
                    "ts": node.all_start_micros,
                    "dur": node.all_end_rel_micros,
                    "args": {"name": name or node.node_name, "op": kind},
                }
            )
    return json.dumps({"traceEvents": events}, indent=1)


class Timeline:
    """A StepStats as packages ask for its trace."""

    def __init__(self, step_stats, graph=None):
        self._step_stats = step_stats

    def generate_chrome_trace_format(self, show_dataflow=True, show_memory=False, op_time="schedule"):
        """JSON for Chrome's tracer. The edges between nodes and the memory are not in it."""
        return chrome_trace(self._step_stats)
