A server of one task: what it says from its start to its end. Where there are connections between processes.

$ sluice serve --cluster local=127.0.0.1:0 >said & while kill -0 $! && ! grep -qs listens said; do sleep 0.05; done; kill $!; wait $!; cat said
<...> listens grpc://127.0.0.1:<...>
<...> drains on signal 15: takes no further calls, and cancels steps
<...> ended no step is left
$ export TF_CONFIG='{"cluster": {"chief": ["127.0.0.1:0"]}, "task": {"type": "chief", "index": 0}}'; sluice serve --cluster env >told & while kill -0 $! && ! grep -qs listens told; do sleep 0.05; done; kill $!; wait $!; cat told
<...> found task 0 of job chief, by TF_CONFIG
<...> listens grpc://127.0.0.1:<...>
<...> drains on signal 15: takes no further calls, and cancels steps
<...> ended no step is left
$ rm told; sluice serve --log json --memory-limit 1G >told & while kill -0 $! && ! grep -qs listens told; do sleep 0.05; done; kill -HUP $!; while kill -0 $! && ! grep -qs state told; do sleep 0.05; done; kill $!; wait $!; cat told
{"time":"<...>Z","event":"listens","text":"grpc://127.0.0.1:<...>, for this machine alone"}
{"time":"<...>Z","event":"state","sessions":0,"worker_sessions":0,"graphs":0,"steps":0,"connections":0,"calls":0,"message_bytes":0,"memory_bytes":0,"resident_bytes":<...>,"sessions_ever":0,"connections_ever":0,"calls_ever":0,"turned_away":0,"closed":0}
{"time":"<...>Z","event":"drains","text":"on signal 15: takes no further calls, and cancels steps"}
{"time":"<...>Z","event":"ended","text":"no step is left"}
$ rm told; sluice serve --listen 0.0.0.0:0 >told & while kill -0 $! && ! grep -qs listens told; do sleep 0.05; done; kill $!; wait $!; head -1 told
<...> listens grpc://localhost:<...>, for other machines, too, without TLS
$ sluice serve --limit list
message_bytes        2147483647  bytes of one message
unfinished_bytes <...>
connections                4096  connections at a time
calls                      4096  calls at a time, in one connection
calls_of_all              65536  calls at a time, in all connections; each may have its share
header_bytes              16384  bytes of the headers of one call
control_frames             4000  pings, settings, resets in a second, in one connection
greeting_ms               20000  a client that has not begun to speak HTTP/2 after this is closed
idle_ms                  300000  a connection without a call is pinged after this, and closed without an answer
stalled_ms                30000  a client that takes or sends nearly nothing of a message for this long is closed
step_threads <...>
$ sluice serve --limit connections=none
sluice: the limit connections is a number from 1, not 'none'
? 1
$ sluice serve --limit calls=10,colour=3
sluice: there is no limit 'colour'; there are, with their defaults: message_bytes=<...>
? 1
$ sluice serve --memory-limit much
sluice: --memory-limit wants a size, as in 500M or 2G, not 'much'
Try 'sluice serve --help'.
? 2
$ sluice serve --tls-certificate nothing.pem --tls-key nothing.key
sluice: nothing.pem: <...>
? 1
$ sluice serve --cluster nothing
sluice: nothing: No such file or directory
? 1
$ sluice serve --cluster worker=127.0.0.1:0 --job ps
sluice: <...>
? 1
$ sluice serve --cluster worker=127.0.0.1:0 --task 3
sluice: <...>
? 1
