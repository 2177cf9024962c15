/* Words for graphs of floats as text. */
#ifndef SL_TESTS_DIST_GRAPH_WORDS_H
#define SL_TESTS_DIST_GRAPH_WORDS_H

#define FLOAT                "attr { key: 'dtype' value { type: DT_FLOAT } } "
#define T_FLOAT              "attr { key: 'T' value { type: DT_FLOAT } } "
#define IN(name)             "input: '" name "' "
#define WORKER_0             "device: '/job:worker/task:0' "
#define WORKER_1             "device: '/job:worker/task:1' "
#define PS                   "device: '/job:ps/task:0' "
#define NODE(name, op, rest) "node { name: '" name "' op: '" op "' " rest "} "
#define HOLDER(name, rest)   NODE(name, "Placeholder", FLOAT rest)
#define CONST(name, x, rest)                                                                                           \
    NODE(name, "Const",                                                                                                \
         FLOAT "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: " x " } } } " rest)
#define FEED(name, x) "feed { name: '" name "' tensor { dtype: DT_FLOAT tensor_shape { } float_val: " x " } } "
/* A queue that nobody fills, and a node that waits for it. */
#define WAITING(name, rest)                                                                                            \
    NODE(name "_q", "FIFOQueueV2", "attr { key: 'component_types' value { list { type: DT_FLOAT } } } " rest)          \
    NODE(name, "QueueDequeueV2",                                                                                       \
         IN(name "_q") "attr { key: 'component_types' value { list { type: DT_FLOAT } } } " rest)

#endif
