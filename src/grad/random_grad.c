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

RULES(random) = {
    /* clang-format off */
    RULE(RandomGamma) RULE(StatelessRandomGammaV2) RULE(StatelessRandomGammaV3)
    NO_GRAD(RandomStandardNormal) NO_GRAD(RandomUniform) NO_GRAD(RandomUniformInt) NO_GRAD(TruncatedNormal)
    NO_GRAD(ParameterizedTruncatedNormal) NO_GRAD(RandomShuffle) NO_GRAD(RandomIndexShuffle) NO_GRAD(Multinomial)
    NO_GRAD(RandomPoissonV2) NO_GRAD(RandomGammaGrad)
    NO_GRAD(StatelessMultinomial) NO_GRAD(StatelessRandomBinomial) NO_GRAD(StatelessRandomNormal)
    NO_GRAD(StatelessRandomNormalV2) NO_GRAD(StatelessRandomPoisson) NO_GRAD(StatelessShuffle)
    NO_GRAD(StatelessRandomUniform) NO_GRAD(StatelessRandomUniformFullInt) NO_GRAD(StatelessRandomUniformFullIntV2)
    NO_GRAD(StatelessRandomUniformInt) NO_GRAD(StatelessRandomUniformIntV2) NO_GRAD(StatelessRandomUniformV2)
    NO_GRAD(StatelessTruncatedNormal) NO_GRAD(StatelessTruncatedNormalV2)
    RULES_END
    /* clang-format on */
};
