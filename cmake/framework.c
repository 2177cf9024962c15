/* libtensorflow_framework.so.2: programs link to it beside libtensorflow.so.2, which holds everything. */
typedef int sl_framework_is_empty;
