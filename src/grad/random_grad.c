/* Gradients of samples by the parameters of their distributions, and the many that have none. */
#include "grad/words.h"

/* A sample of each alpha: x(at) has the trailing dims of the output. */
static void gamma_by(struct sl_rule *g, int at) {
    if (!wants(at)) return;
    struct sl_term alpha = x(at), per_sample = add(alpha, emit("ZerosLike", y(0)));
    struct sl_term d = mul(dy(0), emit("RandomGammaGrad", per_sample, y(0)));
    struct sl_term lead = sub(emit("Rank", y(0)), emit("Rank", alpha));
    WRT(at) = like(alpha, as(alpha, sum(d, emit("Range", i32(0), lead, i32(1)))));
}
GRAD(RandomGamma) { gamma_by(g, 1); }
GRAD(StatelessRandomGammaV2) { gamma_by(g, 2); }
GRAD(StatelessRandomGammaV3) { gamma_by(g, 4); }

/* A sample stays at its quantile when a bound moves: z = (y - mean) / deviation, in [a, b], at the part u of the way.
 *   dy/dmax = u exp((z^2 - b^2) / 2), dy/dmin = (1 - u) exp((z^2 - a^2) / 2)
 * By mean and deviation it is, as in TensorFlow, as if the bounds moved with them: 1 and z. */
static struct sl_term below(struct sl_rule *g, struct sl_term t) {
    return scale(emit("Erfc", scale(t, -0.70710678118654752440)), .5);
}
static struct sl_term density_ratio(struct sl_rule *g, struct sl_term z, struct sl_term bound) {
    return emit("Exp", scale(sub(sqr(z), sqr(bound)), .5));
}
GRAD(StatelessParameterizedTruncatedNormal) {
    struct sl_term mean = x(2), deviation = x(3), t = dtype(y(0)) == SL_HALF ? num(y(0), 6e-8) : num(y(0), 1e-37);
    struct sl_term a = quo(sub(x(4), mean), deviation), b = quo(sub(x(5), mean), deviation);
    struct sl_term z = quo(sub(y(0), mean), deviation), from = below(g, a);
    struct sl_term u = quo(sub(below(g, z), from), sub(below(g, b), from));
    u = emit("Minimum", emit("Maximum", u, t), num(u, 1));
    struct sl_term by_max = mul(u, density_ratio(g, z, b)), by_min = mul(sub(num(u, 1), u), density_ratio(g, z, a));
    const struct sl_term parts[] = {num(u, 1), z, by_min, by_max};
    for (int i = 0; i < 4; i++) WRT(2 + i) = like(x(2 + i), mul(dy(0), parts[i]));
}

RULES(random) = {
    /* clang-format off */
    RULE(RandomGamma) RULE(StatelessRandomGammaV2) RULE(StatelessRandomGammaV3)
    RULE(StatelessParameterizedTruncatedNormal)
    NO_GRAD(Multinomial) NO_GRAD(ParameterizedTruncatedNormal) NO_GRAD(RandomIndexShuffle) NO_GRAD(RandomPoissonV2)
    NO_GRAD(RandomShuffle) NO_GRAD(RandomStandardNormal) NO_GRAD(RandomUniform) NO_GRAD(RandomUniformInt)
    NO_GRAD(StatelessMultinomial) NO_GRAD(StatelessRandomBinomial) NO_GRAD(StatelessRandomNormal)
    NO_GRAD(StatelessRandomNormalV2) NO_GRAD(StatelessRandomPoisson) NO_GRAD(StatelessRandomUniform)
    NO_GRAD(StatelessRandomUniformFullInt) NO_GRAD(StatelessRandomUniformFullIntV2) NO_GRAD(StatelessRandomUniformInt)
    NO_GRAD(StatelessRandomUniformIntV2) NO_GRAD(StatelessRandomUniformV2) NO_GRAD(StatelessShuffle)
    NO_GRAD(StatelessTruncatedNormal) NO_GRAD(StatelessTruncatedNormalV2) NO_GRAD(TruncatedNormal)
    UNDEFINED(NonDeterministicInts) UNDEFINED(RandomPoisson) UNDEFINED(StatefulStandardNormalV2)
    UNDEFINED(StatefulTruncatedNormal) UNDEFINED(StatefulUniform) UNDEFINED(StatefulUniformFullInt)
    UNDEFINED(StatefulUniformInt) UNDEFINED(StatefulRandomBinomial)
    RULES_END
    /* clang-format on */
};
