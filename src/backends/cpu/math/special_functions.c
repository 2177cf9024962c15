/* Methods are named where they are used; formulas are numbered as in NIST's Digital Library of Mathematical
 * Functions (DLMF). The trapezoidal rule is exponentially exact for integrands that are analytic and fade at both
 * ends (L. N. Trefethen and J. A. C. Weideman, SIAM Review 56, 2014), which makes several of these functions a short
 * sum. */
#include "backends/cpu/math/special_functions.h"

#include <math.h>
#include <stdbool.h>

/* Arguments beyond HUGE_ARGUMENT are taken for infinite: the original has overflown there. */
static const double HUGE_ARGUMENT = 1e30, PI = 3.14159265358979323846, EULER = 0.57721566490153286061, TINY = 1e-300,
                    EPSILON = 1e-17;
enum { TERMS_MAX = 4000 };

/* ---- gamma function and its kin */

double sl_special_log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* Bernoulli numbers B(2), B(4) ... */
static const double bernoulli[] = {1. / 6,       -1. / 30,       1. / 42,       -1. / 30,
                                   5. / 66,      -691. / 2730,   7. / 6,        -3617. / 510,
                                   43867. / 798, -174611. / 330, 854513. / 138, -236364091. / 2730};
enum { BERNOULLI = sizeof bernoulli / sizeof *bernoulli };

/* Reflection to x > 0 (5.5.4), steps up to 10 (5.5.2), then the asymptotic series (5.11.2). */
double sl_special_digamma(double x) {
    double reflected = 0, below = 0;
    if (x <= 0) {
        if (x == floor(x)) return NAN;
        double fraction = x - nearbyint(x); /* in [-1/2, 1/2]: tan is exact near its zeros */
        reflected = fabs(fraction) == 0.5 ? 0 : PI / tan(PI * fraction);
        x = 1 - x;
    }
    if (isinf(x)) return x;
    for (; x < 10; x++) below += 1 / x;
    double y = log(x) - 0.5 / x, z = 1 / (x * x), power = z;
    for (int k = 0; k < BERNOULLI; k++, power *= z) y -= bernoulli[k] / (2 * (k + 1)) * power;
    return y - below - reflected;
}

/* Euler-Maclaurin (25.11.5 and following): terms one by one while q is small, then the integral and corrections. The
 * finite sum over negative q + n is the difference of two such functions. */
double sl_special_zeta(double s, double q) {
    if (s == 1) return INFINITY;
    if (!(s > 1) || q != q) return NAN;
    if (q <= 0 && q == floor(q)) return isinf(s) || fmod(s, 2) == 0 ? INFINITY : NAN;
    if (q <= 0 && s != floor(s)) return NAN;
    if (isinf(s)) return q < 1 ? INFINITY : q == 1;
    if (q < 0) {
        double negative = ceil(-q), first = 1 - (q + negative);
        double below = sl_special_zeta(s, first) - sl_special_zeta(s, first + negative);
        return sl_special_zeta(s, q + negative) + (fmod(s, 2) == 0 ? below : -below);
    }
    if (q > 1e8) return (1 / (s - 1) + 1 / (2 * q)) * pow(q, 1 - s);
    double sum = 0;
    for (; q < 10 + s; q++) {
        double term = pow(q, -s);
        sum += term;
        if (term <= EPSILON * sum) return sum;
    }
    double power = pow(q, -s);
    sum += power * q / (s - 1) + 0.5 * power;
    double factor = s * power / q / 2; /* s (s+1) ... (s+2k-2) / (2k)! q^(-s-2k+1) */
    for (int k = 1; k <= BERNOULLI; k++) {
        sum += bernoulli[k - 1] * factor;
        factor *= (s + 2 * k - 1) * (s + 2 * k) / ((2 * k + 1) * (2 * k + 2)) / (q * q);
    }
    return sum;
}

double sl_special_polygamma(double n, double x) {
    if (n == 0) return sl_special_digamma(x);
    if (n < 0 || n != floor(n)) return NAN;
    return (fmod(n + 1, 2) == 1 ? -1 : 1) * exp(sl_special_log_gamma(n + 1)) * sl_special_zeta(n + 1, x);
}

/* A number and its derivative by a. */
struct dual {
    double value, derivative;
};

/* Sum of x^n / ((a+1) ... (a+n)) for n >= 0: gamma_p(a, x) is x^a e^-x / gamma(a+1) times it (8.7.1). Converges for
 * all x; best for x <= a + 1. */
static struct dual gamma_series(double a, double x) {
    struct dual sum = {1, 0}, term = {1, 0};
    for (int n = 1; n < TERMS_MAX; n++) {
        double ratio = x / (a + n);
        term.derivative = (term.derivative - term.value / (a + n)) * ratio;
        term.value *= ratio;
        sum.value += term.value;
        sum.derivative += term.derivative;
        if (term.value < EPSILON * sum.value && fabs(term.derivative) <= EPSILON * fabs(sum.derivative)) break;
    }
    return sum;
}

static struct dual dual_product(struct dual x, struct dual y) {
    return (struct dual){x.value * y.value, x.value * y.derivative + x.derivative * y.value};
}

/* The continued fraction 1 / (x+1-a - 1(1-a) / (x+3-a - 2(2-a) / (x+5-a ...: gamma_q(a, x) is x^a e^-x / gamma(a)
 * times it (8.9.2), by Lentz' method. For x > a + 1. */
static struct dual gamma_fraction(double a, double x) {
    struct dual b = {x + 1 - a, -1}, c = {1 / TINY, 0}, d = {1 / b.value, 1 / (b.value * b.value)}, h = d;
    for (int i = 1; i < TERMS_MAX; i++) {
        struct dual an = {-i * (i - a), i}, step;
        b.value += 2;
        d = dual_product(an, d);
        d = (struct dual){d.value + b.value, d.derivative + b.derivative};
        if (fabs(d.value) < TINY) d.value = TINY;
        /* c = b + an / c */
        struct dual inverse = {1 / c.value, -c.derivative / (c.value * c.value)};
        c = dual_product(an, inverse);
        c = (struct dual){c.value + b.value, c.derivative + b.derivative};
        if (fabs(c.value) < TINY) c.value = TINY;
        d = (struct dual){1 / d.value, -d.derivative / (d.value * d.value)};
        step = dual_product(c, d);
        h = dual_product(h, step);
        if (fabs(step.value - 1) < 1e-16 && fabs(step.derivative) < 1e-16) break;
    }
    return h;
}

/* x^a e^-x / gamma(a), the density of the gamma distribution times x */
static double gamma_front(double a, double x) { return exp(a * log(x) - x - sl_special_log_gamma(a)); }
static bool uses_series(double a, double x) { return x <= 1 || x <= a; }

double sl_special_gamma_p(double a, double x) {
    if (x == 0) return 0;
    if (!(x > 0) || !(a > 0)) return NAN;
    if (isinf(x)) return isinf(a) ? 0 : 1;
    if (a > HUGE_ARGUMENT) return 0;
    return uses_series(a, x) ? gamma_front(a, x) / a * gamma_series(a, x).value
                             : 1 - gamma_front(a, x) * gamma_fraction(a, x).value;
}

double sl_special_gamma_q(double a, double x) {
    if (!(x >= 0) || !(a > 0)) return NAN;
    if (isinf(x)) return 0;
    if (a > HUGE_ARGUMENT && x >= a) return 0;
    if (a > HUGE_ARGUMENT || x == 0) return 1;
    return x < 1 || x < a ? 1 - gamma_front(a, x) / a * gamma_series(a, x).value
                          : gamma_front(a, x) * gamma_fraction(a, x).value;
}

/* The derivative of gamma_p over gamma_front, times `factor`: the front's own derivative is its value times log x -
 * digamma(a). */
static double gamma_p_derivative(double a, double x, double factor) {
    if (uses_series(a, x)) {
        struct dual s = gamma_series(a, x);
        return factor / a * (s.value * (log(x) - sl_special_digamma(a + 1)) + s.derivative);
    }
    struct dual f = gamma_fraction(a, x);
    return -factor * (f.value * (log(x) - sl_special_digamma(a)) + f.derivative);
}
static bool is_gamma_derivative_zero(double a, double x, double log_least) {
    return x == 0 || a > HUGE_ARGUMENT || isinf(x) || a * log(x) - x - sl_special_log_gamma(a) < log_least;
}

double sl_special_gamma_p_by_a(double a, double x, double log_least) {
    if (!(x >= 0) || (x > 0 && !(a > 0))) return NAN;
    if (is_gamma_derivative_zero(a, x, log_least)) return 0;
    return gamma_p_derivative(a, x, gamma_front(a, x));
}

double sl_special_gamma_sample_by_a(double a, double x, double log_least) {
    if (!(x >= 0) || (x > 0 && !(a > 0))) return NAN;
    return is_gamma_derivative_zero(a, x, log_least) ? 0 : gamma_p_derivative(a, x, -x);
}

/* The continued fraction 8.17.22 by Lentz' method, on the side of the mean where it converges fast (8.17.4). */
static double beta_fraction(double a, double b, double x) {
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < TINY ? TINY : d);
    double h = d;
    for (int m = 1; m < TERMS_MAX; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step = 1;
        for (int i = 0; i < 2; i++) {
            double term = i ? odd : even;
            d = 1 + term * d;
            d = 1 / (fabs(d) < TINY ? TINY : d);
            c = 1 + term / c;
            c = fabs(c) < TINY ? TINY : c;
            step = c * d;
            h *= step;
        }
        if (fabs(step - 1) < 1e-16) break;
    }
    return h;
}
/* Beyond the mean and for tiny b the result is of the size of b, and would be the difference of almost equal
 * numbers: that is, of 1 and e^u (1 + b sum), with u to the second order of b. */
static double beta_of_tiny_b(double a, double b, double x) {
    double sum = 0, term = 1;
    for (int n = 1; n < TERMS_MAX && fabs(term) > EPSILON; n++) {
        term *= (n - a) / n * (1 - x);
        sum += term / (n + b);
    }
    double u = b * (log1p(-x) + sl_special_digamma(a + 1) + EULER) +
               b * b / 2 * (sl_special_zeta(2, a + 1) - PI * PI / 6) - log1p(b / a);
    return -expm1(u) - exp(u) * b * sum;
}
double sl_special_beta_i(double a, double b, double x) {
    if (!(a > 0) || !(b > 0) || !(x >= 0 && x <= 1)) return NAN;
    if (x == 0 || x == 1) return x;
    double front = exp(a * log(x) + b * log1p(-x) + sl_special_log_gamma(a + b) - sl_special_log_gamma(a) -
                       sl_special_log_gamma(b));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return b < 1e-6 ? beta_of_tiny_b(a, b, x) : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* ---- inverses of the error function */

/* x with erfc(x) = y, 0 < y <= 1: a guess (S. Winitzki, 2008), then Halley's iteration on erfc, which is exact where
 * erf is not. */
static double erfc_inverse(double y) {
    double l = log(y * (2 - y)), t = 2 / (PI * 0.147) + 0.5 * l, x = sqrt(sqrt(t * t - l / 0.147) - t);
    for (int i = 0; i < 8; i++) {
        double step = (erfc(x) - y) / (-2 / sqrt(PI) * exp(-x * x));
        step /= 1 + x * step;
        x -= step;
        if (fabs(step) < 1e-15 * fabs(x)) break;
    }
    return x;
}
double sl_special_erf_inverse(double x) {
    double a = fabs(x);
    if (!(a <= 1)) return NAN;
    if (a == 1) return copysign(INFINITY, x);
    if (a > 0.5) return copysign(erfc_inverse(1 - a), x);
    double y = a * sqrt(PI) / 2 * (1 + PI / 12 * a * a); /* its series at 0; the same iteration on erf */
    for (int i = 0; i < 5; i++) {
        double step = (erf(y) - a) / (2 / sqrt(PI) * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return copysign(y, x);
}
double sl_special_normal_quantile(double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0 || p == 1) return p == 0 ? -INFINITY : INFINITY;
    return sqrt(2) * (p < 0.25   ? -erfc_inverse(2 * p)
                      : p > 0.75 ? erfc_inverse(2 * (1 - p))
                                 : sl_special_erf_inverse(2 * p - 1));
}

/* ---- Bessel functions */

/* Sum of (x^2/4)^k / (k! (k+order)!) (10.25.2). */
static double i_series(int order, double x) {
    double term = 1, sum = 1, z = x * x / 4;
    for (int k = 1; k < TERMS_MAX && term > EPSILON * sum; k++) {
        term *= z / ((double)k * (k + order));
        sum += term;
    }
    return sum;
}
/* e^-x I(x): the series while it is short, then 10.40.1. */
static double i_scaled(int order, double x) {
    if (x < 30) return exp(-x) * (order ? x / 2 : 1) * i_series(order, x);
    double sum = 1, term = 1;
    for (int k = 1; k < 40; k++) {
        double next = -term * (4 * order * order - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
        if (fabs(next) >= fabs(term) || fabs(next) < EPSILON) break;
        term = next;
        sum += term;
    }
    return sum / sqrt(2 * PI) / sqrt(x);
}
double sl_special_bessel_i0e(double x) { return i_scaled(0, fabs(x)); }
double sl_special_bessel_i1e(double x) { return copysign(i_scaled(1, fabs(x)), x); }
double sl_special_bessel_i0(double x) {
    return fabs(x) < 30 ? i_series(0, x) : exp(fabs(x) / 2) * i_scaled(0, fabs(x)) * exp(fabs(x) / 2);
}
double sl_special_bessel_i1(double x) {
    double a = fabs(x);
    return copysign(a < 30 ? a / 2 * i_series(1, a) : exp(a / 2) * i_scaled(1, a) * exp(a / 2), x);
}

/* e^x K(x). Up to 1 the series 10.31.1 and 10.31.2; then the integral of e^(-x (cosh t - 1)) cosh(order t)
 * (10.32.9). */
static double k_scaled(int order, double x) {
    if (x != x) return x;
    if (x <= 0) return INFINITY;
    if (isinf(x)) return 0;
    if (x <= 1) {
        double z = x * x / 4, term = 1, sum = 0, digamma = -EULER, next = 1 - EULER; /* of k + 1, of k + 2 */
        for (int k = 0; k < 30; k++) {
            sum += term * (order ? digamma + next : digamma);
            digamma += 1. / (k + 1);
            next += 1. / (k + 2);
            term *= z / ((double)(k + 1) * (k + 1 + order));
        }
        double i = i_series(order, x);
        return exp(x) * (order ? 1 / x + log(x / 2) * x / 2 * i - x / 4 * sum : sum - log(x / 2) * i);
    }
    double h = x < 8 ? 0.22 : 0.62 / sqrt(x), sum = 0.5;
    for (int n = 1; n < TERMS_MAX; n++) {
        double t = n * h, half = sinh(t / 2), term = exp(-2 * x * half * half) * (order ? cosh(t) : 1);
        sum += term;
        if (term < EPSILON) break;
    }
    return h * sum;
}
double sl_special_bessel_k0e(double x) { return k_scaled(0, x); }
double sl_special_bessel_k1e(double x) { return k_scaled(1, x); }
double sl_special_bessel_k0(double x) { return x > 1 ? exp(-x) * k_scaled(0, x) : k_scaled(0, x) / exp(x > 0 ? x : 0); }
double sl_special_bessel_k1(double x) { return x > 1 ? exp(-x) * k_scaled(1, x) : k_scaled(1, x) / exp(x > 0 ? x : 0); }

double sl_special_bessel_j0(double x) { return isinf(x) ? NAN : j0(x); }
double sl_special_bessel_j1(double x) { return isinf(x) ? NAN : j1(x); }
double sl_special_bessel_y0(double x) { return x <= 0 ? -INFINITY : isinf(x) ? NAN : y0(x); }
double sl_special_bessel_y1(double x) { return x < 0 ? -INFINITY : x == 0 || isinf(x) ? NAN : y1(x); }

/* ---- integrals */

/* Near 0 the series 7.6.3, far out 7.12.1, between them a trapezoidal rule (G. B. Rybicki, Computers in Physics 3,
 * 1989). */
double sl_special_dawson(double x) {
    double a = fabs(x), sum = 0;
    if (isnan(x)) return x;
    if (a < 0.5) {
        double term = x;
        for (int k = 0; k < 30; k++) {
            sum += term;
            term *= -2 * x * x / (2 * k + 3);
        }
        return sum;
    }
    if (a > 12) {
        double term = 1;
        for (int k = 0; k < 20; k++) {
            sum += term;
            term *= (2 * k + 1) / (2 * a * a);
        }
        return copysign(sum / (2 * a), x);
    }
    const double h = 0.2;
    int center = 2 * (int)(0.5 * a / h + 0.5);
    for (int n = center - 61; n <= center + 61; n += 2) {
        double t = a - n * h;
        sum += exp(-t * t) / n;
    }
    return copysign(sum / sqrt(PI), x);
}

/* The series 6.6.1, then 6.12.2. */
double sl_special_exponential_integral(double x) {
    if (!(x >= 0)) return NAN;
    if (x == 0 || x > HUGE_ARGUMENT) return x == 0 ? -INFINITY : NAN;
    double term = 1, sum = 0;
    if (x < 40) {
        for (int k = 1; k < TERMS_MAX; k++) {
            term *= x / k;
            sum += term / k;
            if (term / k < EPSILON * sum) break;
        }
        return EULER + log(x) + sum;
    }
    for (int k = 1; k < 60 && term > EPSILON && term >= term * k / x; k++) {
        sum += term;
        term *= k / x;
    }
    return exp(x / 2) / x * sum * exp(x / 2);
}

/* The integrals of sin and cos of pi t^2 / 2 up to x >= 0: the series 7.6.4 and 7.6.6, then the auxiliary functions
 * f and g (7.7.10, 7.7.11 with t = u^2) by the trapezoidal rule (7.5.3, 7.5.4). */
struct fresnel {
    double sine, cosine;
};
static struct fresnel fresnel(double x) {
    double z = PI / 2 * x * x;
    if (x < 1.5) {
        struct fresnel y = {0, 0};
        double power = x; /* x z^n / n! with its sign */
        for (int n = 0; n < 40; n++) {
            double part = power / (2 * n + 1);
            if (n & 1) y.sine += n & 2 ? -part : part;
            else y.cosine += n & 2 ? -part : part;
            power *= z / (n + 1);
        }
        return y;
    }
    if (x > 1e8) return (struct fresnel){0.5, 0.5};
    double h = 0.38 / x < 0.1 ? 0.38 / x : 0.1, f = 0.5, g = 0;
    for (int n = 1; n < TERMS_MAX; n++) {
        double u = n * h * n * h, term = exp(-z * u) / (1 + u * u);
        f += term;
        g += u * term;
        if (term < EPSILON) break;
    }
    f *= sqrt(2) / PI * h;
    g *= sqrt(2) / PI * h;
    double angle = PI / 2 * fmod(x * x, 4);
    return (struct fresnel){0.5 - f * cos(angle) - g * sin(angle), 0.5 + f * sin(angle) - g * cos(angle)};
}
double sl_special_fresnel_sine(double x) { return x != x ? x : copysign(fresnel(fabs(x)).sine, x); }
double sl_special_fresnel_cosine(double x) { return x != x ? x : copysign(fresnel(fabs(x)).cosine, x); }

/* Sum of (1-x)^k / k^2 where |1-x| <= 1/2; elsewhere 25.12.6 and 25.12.4. */
double sl_special_spence(double x) {
    if (!(x >= 0)) return NAN;
    if (x == 0) return PI * PI / 6;
    if (x > HUGE_ARGUMENT) return NAN;
    if (x > 1.5) return -0.5 * log(x) * log(x) - sl_special_spence(1 / x);
    if (x < 0.5) return PI * PI / 6 - log(x) * log1p(-x) - sl_special_spence(1 - x);
    double sum = 0, power = 1;
    for (int k = 1; k < 60; k++) {
        power *= 1 - x;
        sum += power / ((double)k * k);
    }
    return sum;
}
