/* The table of exports and the public headers name the same functions with the same types: every row is declared a
 * second time here, and C refuses two declarations that disagree. */
#include "all_public_headers.h"

#define TF_API(group, type, name, parameters) type name parameters;
#include "capi/exports.def"
#undef TF_API

/* The rows are counted through their groups, so that a misspelt group does not compile. */
enum {
    GROUP_core = 1,
    GROUP_c_api_experimental = 1,
    GROUP_eager = 1,
    GROUP_eager_experimental = 1,
    GROUP_saved_model = 1,
    GROUP_plugin = 1,
    GROUP_other = 1
};

#define TF_API(group, type, name, parameters) +GROUP_##group
_Static_assert(0
#include "capi/exports.def"
                   == 686,
               "673 functions of the C API, 8 TSL_ twins, TFE_GetServerDef, TF_FinishWhileHelper, 3 of older headers");
