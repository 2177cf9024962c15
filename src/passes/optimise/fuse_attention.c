/* Attention: the product of queries and keys, what is done to these scores, softmax along their rows and the product
 * with values become one _FusedAttention, which makes no matrix of scores in memory. The products are BatchMatMulV2
 * or Einsum; where Transpose only turns [batch, rows, heads, columns] for them, or turns what they give back, the node
 * reads and writes that order itself. Steps between are Mul, RealDiv, Add, Sub and SelectV2, of few scores at a time.
 *
 * Only where nobody else reads what is between, so not where gradients do, and not while numbers are watched. Float only. */
#include "passes/optimise/rewrite.h"

enum { MOST_STEPS = 4, SIDES = 3, MOST_INPUTS = SIDES + 2 * MOST_STEPS, N_ATTRS = 9 };

struct pattern {
    struct sl_node *last, *product, *softmax, *scores;
    struct sl_node *steps[MOST_STEPS]; /* as they run */
    int sides[MOST_STEPS], n_steps;    /* which input the scores are */
    struct sl_port in[SIDES];          /* q, k, v */
    const char *layouts[SIDES + 1];    /* of these and of the result; as the op has them */
    bool is_einsum, key_first;
};

/* The node behind an input, when it may go with its reader. */
static struct sl_node *inner(const struct sl_rewrite *r, const struct sl_node *n, int slot) {
    struct sl_node *from = n->inputs[slot].node;
    if (!from || n->inputs[slot].index != 0 || from->n_controls || !sl_rewrite_is_pure(from) ||
        !sl_rewrite_is_sole(r, from, n) || !sl_str_eq(from->assigned, n->assigned))
        return NULL;
    return from;
}

static bool is_product(const struct sl_node *n) {
    return n->op->index == SL_ROW_BatchMatMulV2 && sl_rewrite_attr_is(n, "adj_x", false);
}

/* ---- Einsum of two tensors of four dims each, "abcd,aecd->acbe" */
struct equation {
    char in[2][4], out[4];
};
static bool read_equation(struct equation *e, const struct sl_node *n) {
    struct sl_str text;
    if (n->op->index != SL_ROW_Einsum || n->n_inputs != 2 || sl_attr_string(&text, &n->attrs, "equation", NULL))
        return false;
    if (text.n != 15 || text.p[4] != ',' || text.p[9] != '-' || text.p[10] != '>') return false;
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.p[i];
        if (i != 4 && i != 9 && i != 10 && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
    }
    memcpy(e->in[0], text.p, 4);
    memcpy(e->in[1], text.p + 5, 4);
    memcpy(e->out, text.p + 11, 4);
    return true;
}

/* Whether labels are [batch, heads, rows, ?] or [batch, rows, heads, ?], and which the last one is. */
static bool read_order(bool *by_rows, char *last, const char in[4], char batch, char heads, char rows) {
    *by_rows = in[1] == rows && in[2] == heads;
    *last = in[3];
    return in[0] == batch && (*by_rows || (in[1] == heads && in[2] == rows));
}

static bool are_different(const char *labels, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (labels[i] == labels[j]) return false;
    return true;
}

static bool has_rank(struct sl_rewrite *r, struct sl_port port, int rank) {
    return sl_rewrite_shape(r, port).rank == rank;
}

/* Scores: [batch, heads, rows of q, rows of k]. */
static bool match_score_equation(struct pattern *p, struct sl_rewrite *r, const struct sl_node *n) {
    struct equation e;
    bool q_by_rows, k_by_rows;
    char d, other;
    if (!p->is_einsum || !read_equation(&e, n)) return false;
    const char b = e.out[0], h = e.out[1], m = e.out[2], k = e.out[3];
    for (int q = 0; q < 2; q++) {
        if (!read_order(&q_by_rows, &d, e.in[q], b, h, m) || !read_order(&k_by_rows, &other, e.in[1 - q], b, h, k) ||
            d != other || !are_different((const char[]){b, h, m, k, d}, 5))
            continue;
        p->key_first = q == 1;
        p->in[0] = n->inputs[q];
        p->in[1] = n->inputs[1 - q];
        p->layouts[0] = q_by_rows ? "bmhd" : "bhmd";
        p->layouts[1] = k_by_rows ? "bnhd" : "bhnd";
        return has_rank(r, p->in[0], 4) && has_rank(r, p->in[1], 4);
    }
    return false;
}

static bool match_value_equation(struct pattern *p, struct sl_rewrite *r, const struct sl_node *n) {
    struct equation e;
    bool v_by_rows, out_by_rows;
    char d, other;
    if (!read_equation(&e, n)) return false;
    const char b = e.in[0][0], h = e.in[0][1], m = e.in[0][2], k = e.in[0][3];
    if (!read_order(&v_by_rows, &d, e.in[1], b, h, k) || !read_order(&out_by_rows, &other, e.out, b, h, m) ||
        d != other || !are_different((const char[]){b, h, m, k, d}, 5))
        return false;
    p->is_einsum = true;
    p->in[2] = n->inputs[1];
    p->layouts[2] = v_by_rows ? "bnhd" : "bhnd";
    p->layouts[SIDES] = out_by_rows ? "bmhd" : "bhmd";
    return has_rank(r, p->in[2], 4);
}

/* ---- BatchMatMulV2 */
/* Whether it turns four dims to these. */
static bool turns(struct sl_rewrite *r, const struct sl_node *n, const int order[4]) {
    if (n->op->index != SL_ROW_Transpose) return false;
    const struct sl_tensor *t = sl_rewrite_integers(r, n->inputs[1]);
    if (!t || t->rank != 1 || t->count != 4) return false;
    for (int d = 0; d < 4; d++)
        if (sl_rewrite_element(t, d) != order[d]) return false;
    return true;
}
static const int by_heads[] = {0, 2, 1, 3}, as_columns[] = {0, 2, 3, 1};

/* An input of a product: what is behind its Transpose, or itself. False: how many dims it has is not known. */
static bool read_side(struct pattern *p, struct sl_rewrite *r, const struct sl_node *n, int slot, int side,
                      const int order[4], const char *turned, const char *plain) {
    const struct sl_node *from = n->inputs[slot].node;
    p->in[side] = n->inputs[slot];
    p->layouts[side] = plain;
    if (from && n->inputs[slot].index == 0 && !from->n_controls && sl_str_eq(from->assigned, n->assigned) &&
        turns(r, from, order) && has_rank(r, from->inputs[0], 4)) {
        p->in[side] = from->inputs[0];
        p->layouts[side] = turned;
        return true;
    }
    return sl_rewrite_shape(r, p->in[side]).rank >= 2;
}

/* The product of keys and queries, of which a Transpose makes scores. */
static bool match_turned_scores(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    static const int last_two[] = {0, 1, 3, 2};
    if (p->is_einsum || !turns(r, n, last_two)) return false;
    struct sl_node *product = inner(r, n, 0);
    if (!product || !is_product(product) || !sl_rewrite_attr_is(product, "adj_y", false)) return false;
    p->scores = product;
    p->key_first = read_side(p, r, product, 1, 0, as_columns, "bmhd", "") && p->layouts[0][0] &&
                   read_side(p, r, product, 0, 1, by_heads, "bnhd", "bhnd") && has_rank(r, p->in[1], 4);
    return p->key_first;
}

static bool match_scores(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    p->scores = n;
    if (p->is_einsum || !is_product(n)) return match_score_equation(p, r, n);
    const bool adj_y = sl_rewrite_attr_is(n, "adj_y", true);
    return read_side(p, r, n, 0, 0, by_heads, "bmhd", "bhmd") &&
           read_side(p, r, n, 1, 1, adj_y ? by_heads : as_columns, "bnhd", adj_y ? "bhnd" : "bhdn");
}

/* ---- steps */
static int first_side(const struct sl_node *n) { return n->op->index == SL_ROW_SelectV2; }

static bool is_step(const struct sl_node *n) {
    switch (n->op->index) {
    case SL_ROW_Mul:
    case SL_ROW_RealDiv:
    case SL_ROW_Add:
    case SL_ROW_AddV2:
    case SL_ROW_Sub:
    case SL_ROW_SelectV2: return true;
    default: return false;
    }
}

/* Finds the scores behind a node, `n_steps` steps before softmax; these are put down last first. */
static bool find_scores(struct pattern *p, struct sl_rewrite *r, struct sl_node *n, int n_steps) {
    if (!n || n->out_types[0] != SL_FLOAT) return false;
    if (match_scores(p, r, n) || match_turned_scores(p, r, n)) {
        p->n_steps = n_steps;
        return true;
    }
    if (n_steps == MOST_STEPS || !is_step(n)) return false;
    p->steps[n_steps] = n;
    for (int side = first_side(n); side < n->n_inputs; side++) {
        p->sides[n_steps] = side;
        if (find_scores(p, r, inner(r, n, side), n_steps + 1)) return true;
    }
    return false;
}

static void turn_steps(struct pattern *p) {
    for (int i = 0, j = p->n_steps - 1; i < j; i++, j--) {
        struct sl_node *step = p->steps[i];
        const int side = p->sides[i];
        p->steps[i] = p->steps[j];
        p->sides[i] = p->sides[j];
        p->steps[j] = step;
        p->sides[j] = side;
    }
}

static bool match(struct pattern *p, struct sl_rewrite *r, struct sl_node *n) {
    *p = (struct pattern){.last = n, .product = n, .layouts = {[SIDES] = "bhmd"}};
    if (n->n_outputs != 1 || n->out_types[0] != SL_FLOAT) return false;
    if (n->op->index == SL_ROW_Transpose) {
        if (!turns(r, n, by_heads)) return false;
        p->product = inner(r, n, 0);
        p->layouts[SIDES] = "bmhd";
        if (!p->product || !is_product(p->product)) return false;
    }
    if (is_product(p->product)) {
        if (!sl_rewrite_attr_is(p->product, "adj_y", false)) return false;
        if (!read_side(p, r, p->product, 1, 2, by_heads, "bnhd", "bhnd")) return false;
    } else if (!match_value_equation(p, r, p->product)) {
        return false;
    }
    p->softmax = inner(r, p->product, 0);
    if (!p->softmax || p->softmax->op->index != SL_ROW_Softmax) return false;
    if (!find_scores(p, r, inner(r, p->softmax, 0), 0)) return false;
    turn_steps(p);
    return true;
}

/* ---- the fused node */
static struct sl_attr words(struct sl_rewrite *r, const char *name, const struct sl_str *items, int n) {
    struct sl_arena *arena = &r->graph->arena;
    struct sl_str *kept = SL_ARENA_ARRAY(arena, struct sl_str, (size_t)n + 1);
    if (!kept) return (struct sl_attr){sl_str_of(name), NULL};
    for (int i = 0; i < n; i++) kept[i] = items[i];
    return sl_attr_new_list(arena, sl_str_of(name), &(struct sl_pb_AttrValue_ListValue){.s = {kept, (size_t)n}});
}

static void list_attrs(struct sl_attr attrs[N_ATTRS], struct sl_rewrite *r, const struct pattern *p,
                       const struct sl_port *in, int n_in) {
    struct sl_arena *arena = &r->graph->arena;
    struct sl_str ops[MOST_STEPS], names[MOST_STEPS + 2], layouts[SIDES + 1];
    int32_t *types = SL_ARENA_ARRAY(arena, int32_t, MOST_INPUTS);
    int64_t *sides = SL_ARENA_ARRAY(arena, int64_t, MOST_STEPS);
    names[0] = p->scores->name;
    for (int i = 0; i < p->n_steps; i++) {
        ops[i] = p->steps[i]->op->index == SL_ROW_Add ? SL_STR("AddV2") : p->steps[i]->op->name;
        names[1 + i] = p->steps[i]->name;
        if (sides) sides[i] = p->sides[i];
    }
    names[1 + p->n_steps] = p->product->name;
    for (int i = 0; i <= SIDES; i++) layouts[i] = sl_str_of(p->layouts[i]);
    for (int i = SIDES; i < n_in && types; i++) types[i - SIDES] = in[i].node->out_types[in[i].index];
    const struct sl_pb_AttrValue_ListValue type_list = {.type = {types, types ? (size_t)(n_in - SIDES) : 0}};
    const struct sl_pb_AttrValue_ListValue side_list = {.i = {sides, sides ? (size_t)p->n_steps : 0}};
    attrs[0] = sl_rewrite_attr_type(r, "T", SL_FLOAT);
    attrs[1] = sl_attr_new_list(arena, SL_STR("Targs"), &type_list);
    attrs[2] = words(r, "layouts", layouts, SIDES + 1);
    attrs[3] = words(r, "steps", ops, p->n_steps);
    attrs[4] = sl_attr_new_list(arena, SL_STR("sides"), &side_list);
    attrs[5] = words(r, "names", names, p->n_steps + 2);
    attrs[6] = sl_rewrite_attr_bool(r, "adj_y", p->is_einsum || sl_rewrite_attr_is(p->scores, "adj_y", true));
    attrs[7] = sl_rewrite_attr_bool(r, "is_einsum", p->is_einsum);
    attrs[8] = sl_rewrite_attr_bool(r, "key_first", p->key_first);
    if (!types) attrs[1].value = NULL;
    if (!sides) attrs[4].value = NULL;
}

static bool has_kernel(const struct sl_rewrite *r, const struct sl_node *n, const struct sl_attr *attrs) {
    const struct sl_attrs all = {(struct sl_attr *)(uintptr_t)attrs, N_ATTRS};
    const char *device = sl_optimise_device(r->options, n)->name;
    for (int i = 0; i < N_ATTRS; i++)
        if (!attrs[i].value) return false;
    return r->options->kernels && sl_kernel_row(r->options->kernels, sl_row_name(SL_ROW__FusedAttention), device, &all);
}

/* All that the nodes of the pattern wait for is an input of the new one: it needs no further edges but those of the
 * last one. */
static bool stand_in(struct sl_rewrite *r, struct sl_node *last, struct sl_node *made) {
    sl_code code = SL_OK;
    for (int i = 0; i < last->n_controls && code == SL_OK; i++)
        code = sl_graph_add_control(r->graph, last->controls[i], made, r->err);
    if (code == SL_OK)
        code = sl_graph_replace_uses(r->graph, (struct sl_port){last, 0}, (struct sl_port){made, 0}, r->err);
    if (code == SL_OK) code = sl_graph_move_followers(r->graph, last, made, r->err);
    if (code == SL_OK) sl_graph_swap_names(r->graph, last, made);
    r->code = code;
    return code == SL_OK;
}

static bool fuse(struct sl_rewrite *r, const struct pattern *p) {
    struct sl_port in[MOST_INPUTS] = {p->in[0], p->in[1], p->in[2]};
    struct sl_attr attrs[N_ATTRS];
    int n = SIDES;
    for (int i = 0; i < p->n_steps; i++)
        for (int slot = 0; slot < p->steps[i]->n_inputs; slot++)
            if (slot != p->sides[i]) in[n++] = p->steps[i]->inputs[slot];
    for (int i = 0; i < n; i++)
        if (sl_dtype_is_ref(in[i].node->out_types[in[i].index])) return false;
    list_attrs(attrs, r, p, in, n);
    if (!has_kernel(r, p->last, attrs) || sl_rewrite_is_root(r, p->last)) return false;
    struct sl_node *made = sl_rewrite_emit(r, p->last, SL_ROW__FusedAttention, in, n, attrs, N_ATTRS);
    return made && stand_in(r, p->last, made);
}

static bool may_be_last(const struct sl_node *n) {
    return n->op->index == SL_ROW_Transpose || n->op->index == SL_ROW_Einsum || n->op->index == SL_ROW_BatchMatMulV2;
}

static sl_code fuse_all(struct sl_rewrite *r, bool *fused) {
    struct sl_node **order;
    struct pattern p;
    size_t n = 0;
    SL_TRY(sl_graph_order(&order, &n, r->graph, &r->scratch, r->err));
    for (size_t i = 0; i < n; i++) sl_rewrite_note(r, order[i]);
    for (size_t i = n; i-- > 0 && r->code == SL_OK;)
        if (may_be_last(order[i]) && order[i]->uses.n && match(&p, r, order[i])) *fused |= fuse(r, &p);
    return r->code;
}

sl_code sl_pass_fuse_attention(struct sl_graph *graph, const struct sl_optimise_options *options,
                               struct sl_error *err) {
    bool has_product = false, has_softmax = false, fused = false;
    struct sl_rewrite r;
    if (!(options->toggles & SL_TOGGLE_REMAPPING) || !(options->toggles & SL_TOGGLE_UNSEEN)) return SL_OK;
    SL_GRAPH_EACH(n, graph) {
        has_product = has_product || n->op->index == SL_ROW_BatchMatMulV2 || n->op->index == SL_ROW_Einsum;
        has_softmax = has_softmax || n->op->index == SL_ROW_Softmax;
    }
    if (!has_product || !has_softmax) return SL_OK;
    sl_code code = sl_rewrite_init(&r, graph, options, err);
    if (code == SL_OK) code = fuse_all(&r, &fused);
    sl_rewrite_clear(&r);
    return code == SL_OK && fused ? sl_pass_sweep(graph, options, err) : code;
}
