"""Servers within the process: what sessions of one target share, and how that is reset.

A server keeps one session of the library for each graph; every Session that is opened on the server's target with this graph
uses it, so that they have the same variables. There is no network: other processes cannot reach a server, and sessions of
different graphs share nothing.
"""

from __future__ import annotations

import itertools
import weakref

from .. import _native
from . import errors, graph

_servers: dict[str, LocalServer] = {}
_numbers = itertools.count(1)


class LocalServer:
    """What is behind a target. config: the bytes of the ConfigProto of sessions that bring none."""

    def __init__(self, config: bytes = b""):
        self.target, self.config = f"grpc://localhost:{next(_numbers)}", config
        self.generation = 0  # how often it was reset
        self._sessions = weakref.WeakKeyDictionary()  # graph -> the library's session
        _servers[self.target] = self

    def session(self, of: graph.Graph, config: bytes):
        made = self._sessions.get(of)
        if made is None:
            made = self._sessions[of] = _native.Session(of.native, "", config or self.config)
        return SharedSession(self, made)

    def reset(self, containers=None):
        """Sessions that are open end; variables go, all or those of these containers."""
        self.generation += 1
        if not containers:
            self._sessions = weakref.WeakKeyDictionary()
            return
        for g, session in self._sessions.items():
            nodes = [n.node for n in _destroyers(g, set(containers))]
            if nodes:
                session.run(None, [], [], [], nodes, False)


def _destroyers(g, containers):
    """Operations that end the resources of these containers."""
    from .op_defs import op

    handles = [
        o.outputs[0]
        for o in g.get_operations()
        if o.type == "VarHandleOp" and o.get_attr("container").decode() in containers
    ]
    with g.as_default():
        return [op("DestroyResourceOp")(handle, ignore_lookup_error=True) for handle in handles]


class SharedSession:
    """A Session's view of the session that a server has for its graph. AbortedError once the server was reset."""

    def __init__(self, server, session):
        self._server, self._session, self._generation = server, session, server.generation

    def __getattr__(self, name):
        if self._generation != self._server.generation:
            raise errors.AbortedError(
                None, None, f"The session of {self._server.target} ended when the server was reset."
            )
        return getattr(self._session, name)

    def close(self):
        """The server keeps it for others."""


def open_session(of: graph.Graph, target: str, config: bytes):
    """The library's session for a target: the process's own, or a server's. NotFoundError when there is no such server."""
    server = _servers.get(target)
    if server is not None:
        return server.session(of, config)
    return _native.Session(of.native, target, config)


def reset(target: str, containers=None):
    """Resets a server. UnimplementedError when it is none of this process."""
    server = _servers.get(target.decode() if isinstance(target, bytes) else target)
    if server is None:
        raise errors.UnimplementedError(
            None, None, f"Session.reset of the server {target!r}: it is not in this process"
        )
    server.reset(containers)
