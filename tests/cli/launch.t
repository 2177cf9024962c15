Tasks of a cluster as processes, each told its place; what becomes of all when one fails; what environments are read.

$ sluice launch --n 2 --ps 1 sh -c 'echo "$TF_CONFIG"; case $TF_CONFIG in *ps\",*) exec sleep 100;; esac' | sed 's/127.0.0.1:[0-9]*/A/g' | sort | grep -v ps/
[worker/0] {"cluster": {"worker": ["A", "A"], "ps": ["A"]}, "task": {"type": "worker", "index": 0}}
[worker/1] {"cluster": {"worker": ["A", "A"], "ps": ["A"]}, "task": {"type": "worker", "index": 1}}
$ sluice launch -n 3 -- sh -c 'case $TF_CONFIG in *index\":\ 1*) exit 3;; esac; exec sleep 100'
sluice: worker/1 ended with status 3
? 3
$ sluice launch --restarts 1 sh -c 'test -e again && exit 0; touch again; kill -9 $$'
sluice: worker/0 ended by signal 9 (Killed)
sluice: worker/0 is started again
$ sluice launch --grace 0 --n 2 sh -c 'case $TF_CONFIG in *index\":\ 1*) exit 4;; esac; trap "" TERM; while :; do sleep 1; done'
sluice: worker/1 ended with status 4
? 4
$ sluice launch sh -c 'printf "no line end"; head -c 20000 /dev/zero | tr "\0" x' | wc -lc
      3   20047
$ timeout -s TERM 1 sluice launch --n 2 sleep 100; echo status $?
status 124
$ sluice launch not/there 2>&1
[worker/0] sluice: cannot start 'not/there': No such file or directory
sluice: worker/0 ended with status 127
? 127
$ sluice launch
sluice: say which program to start
Try 'sluice launch --help'.
? 2
$ sluice launch --n 0 true
sluice: --n wants a number, not '0'
Try 'sluice launch --help'.
? 2
$ sluice launch --n 200 --ps 200 true
sluice: more than 256 tasks
Try 'sluice launch --help'.
? 2
$ sluice launch --here true
sluice: the environment says nothing of a cluster: TF_CONFIG, SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK or SLUICE_REPLICAS would
? 1
$ SLURM_PROCID=3 SLURM_STEP_NODELIST='n[01-02,7]-ib,login' SLURM_STEP_TASKS_PER_NODE='2(x3),1' sluice launch --here sh -c 'echo "$TF_CONFIG"'
{"cluster": {"worker": ["n01-ib:8470", "n01-ib:8471", "n02-ib:8470", "n02-ib:8471", "n7-ib:8470", "n7-ib:8471", "login:8470"]}, "task": {"type": "worker", "index": 3}}
$ SLURM_PROCID=0 SLURM_JOB_NODELIST='a[1-2]b[3-4]' SLUICE_PORT=99 sluice launch --here sh -c 'echo "$TF_CONFIG"'
{"cluster": {"worker": ["a1b3:99", "a1b4:99", "a2b3:99", "a2b4:99"]}, "task": {"type": "worker", "index": 0}}
$ PMI_RANK=1 PMI_SIZE=2 sluice launch --here sh -c 'echo "$TF_CONFIG"'
{"cluster": {"worker": ["127.0.0.1:8470", "127.0.0.1:8471"]}, "task": {"type": "worker", "index": 1}}
$ PMI_RANK=2 PMI_SIZE=4 MPI_LOCALNRANKS=2 SLUICE_HOSTS=left,right:5000 sluice launch --here sh -c 'echo "$TF_CONFIG"'
{"cluster": {"worker": ["left:8470", "left:8471", "right:5000", "right:5001"]}, "task": {"type": "worker", "index": 2}}
$ OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=2 sluice launch --here true
sluice: of 4 ranks 2 are on this host: SLUICE_HOSTS says on which the others are
? 1
$ SLUICE_REPLICAS=3 HOSTNAME=trainer-2 SLUICE_SERVICE=t.default.svc sluice launch --here sh -c 'echo "$TF_CONFIG"'
{"cluster": {"worker": ["trainer-0.t.default.svc:8470", "trainer-1.t.default.svc:8470", "trainer-2.t.default.svc:8470"]}, "task": {"type": "worker", "index": 2}}
$ SLUICE_REPLICAS=3 HOSTNAME=trainer-5 sluice launch --here true
sluice: SLUICE_REPLICAS is 3, and the host 'trainer-5' does not end in -0 to -2
? 1
$ for hosts in 'n[' 'n[]' 'n[1-' 'n[5-1]' , a:99999 'n[1-2' a,,b 'n[1-999999999]'; do SLURM_PROCID=0 SLURM_JOB_NODELIST=$hosts sluice launch --here true; done
sluice: the hosts 'n[' are none that can be read
sluice: the hosts 'n[]' are none that can be read
sluice: the hosts 'n[1-' are none that can be read
sluice: the hosts 'n[5-1]' are none that can be read
sluice: the hosts ',' are none that can be read
sluice: the hosts 'a:99999' are none that can be read
sluice: the hosts 'n[1-2' are none that can be read
sluice: the hosts 'a,,b' are none that can be read
sluice: the hosts 'n[1-999999999]' are none that can be read
? 1
$ TF_CONFIG='{"cluster": {"worker": ["a:1"]}}' sluice launch --here true
sluice: TF_CONFIG has no "task": {"cluster": {"worker": ["HOST:PORT"]}, "task": {"type": "worker", "index": 0}} is one
? 1
