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
$ sluice serve --cluster nothing
sluice: nothing: No such file or directory
? 1
$ sluice serve --cluster worker=127.0.0.1:0 --job ps
sluice: <...>
? 1
$ sluice serve --cluster worker=127.0.0.1:0 --task 3
sluice: <...>
? 1
