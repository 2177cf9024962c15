/* Special functions of double, by series, continued fractions and quadrature: right to about 1e-13, written for
 * clarity rather than speed. Pure; thread-safe. Outside of its domain a function is NaN, at poles infinite, as
 * TensorFlow's are. */
#ifndef SL_BACKENDS_CPU_MATH_SPECIAL_FUNCTIONS_H
#define SL_BACKENDS_CPU_MATH_SPECIAL_FUNCTIONS_H

double sl_special_log_gamma(double x); /* log |gamma(x)| */
double sl_special_digamma(double x);
double sl_special_zeta(double s, double q);      /* Hurwitz: sum of (q + k)^-s for k >= 0 */
double sl_special_polygamma(double n, double x); /* derivative of order n of digamma */

double sl_special_gamma_p(double a, double x); /* lower incomplete gamma, regularised */
double sl_special_gamma_q(double a, double x); /* 1 - gamma_p */
/* The derivative of gamma_p by a, and how a sample x of the gamma distribution moves with its parameter a. Both are
 * 0 where the density times x is below e^log_least, as in TensorFlow, which goes through it. */
double sl_special_gamma_p_by_a(double a, double x, double log_least);
double sl_special_gamma_sample_by_a(double a, double x, double log_least);
double sl_special_beta_i(double a, double b, double x); /* incomplete beta, regularised */

double sl_special_erf_inverse(double x);
double sl_special_normal_quantile(double p);

double sl_special_bessel_i0(double x);
double sl_special_bessel_i0e(double x); /* e^-|x| i0(x), and so on */
double sl_special_bessel_i1(double x);
double sl_special_bessel_i1e(double x);
double sl_special_bessel_k0(double x);
double sl_special_bessel_k0e(double x);
double sl_special_bessel_k1(double x);
double sl_special_bessel_k1e(double x);
double sl_special_bessel_j0(double x);
double sl_special_bessel_j1(double x);
double sl_special_bessel_y0(double x);
double sl_special_bessel_y1(double x);

double sl_special_dawson(double x); /* e^-x^2 times the integral of e^t^2 from 0 to x */
double sl_special_exponential_integral(double x);
double sl_special_fresnel_sine(double x); /* integral of sin(pi t^2 / 2) from 0 to x */
double sl_special_fresnel_cosine(double x);
double sl_special_spence(double x); /* dilogarithm of 1 - x */

#endif
