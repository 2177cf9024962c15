Input pipelines: their stages with what these take, call and give, as a table and as pictures; where their time goes.

$ sluice show $DATA/graphs/pipeline.pbtxt --pipeline
RangeDataset                         RangeDataset             start 0, stop 10, step 1; gives int64 []
MapDataset                           MapDataset               of RangeDataset; f: Cast, RealDiv; gives float []
BatchDatasetV2                       BatchDatasetV2           of MapDataset; batch_size 4, drop_remainder false; gives float [?]
IteratorV2                           IteratorV2               gives float [?]
MakeIterator                         MakeIterator             of BatchDatasetV2, IteratorV2
IteratorToStringHandle               IteratorToStringHandle   of IteratorV2
IteratorGetNext                      IteratorGetNext          of IteratorV2; gives float [?]
$ sluice show $DATA/graphs/pipeline.pbtxt --pipeline --dot | grep Map
      n2 [label="MapDataset\nMapDataset; f: Cast, RealDiv", fillcolor="#ffffff"];
$ sluice show $DATA/graphs/pipeline.pbtxt --pipeline --svg | grep -c 'f: Cast, RealDiv'
1
$ sluice show $DATA/graphs/count.pbtxt --pipeline
sluice: there is no input pipeline in the graph
? 1
$ sluice show $DATA/graphs/pipeline.pbtxt --pipeline --place
sluice: --pipeline goes with --dot or --svg, or alone
Try 'sluice show --help'.
? 2
$ sluice run $DATA/graphs/pipeline.pbtxt --fetch first --time node 2>&1 | grep -o '^Iterator::[^ ]*  *Iterator::[^ ]*  *[0-9]*' | tr -s ' ' | sort
Iterator::Root::BatchV2 Iterator::BatchV2 1
Iterator::Root::BatchV2::Map Iterator::Map 1
Iterator::Root::BatchV2::Map::Range Iterator::Range 1
