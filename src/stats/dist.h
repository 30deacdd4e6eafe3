/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distributions: tails and quantiles of the normal and of Student's t. This
 * module is the only user of GSL.
 *
 * GSL calls a process-wide handler on errors, which by default aborts. That
 * handler is the program's, and a library that changes it changes other code
 * of the process and races with its threads. So it is never set here; instead
 * no GSL function is called that can fail for the arguments it gets:
 * gsl_cdf_ugaussian_Q and _Qinv raise nothing, and gsl_cdf_beta_P only where a
 * parameter is not positive or its argument is not in [0, 1]. The t quantile
 * is solved here, since gsl_cdf_tdist_Pinv reports that it did not converge.
 *
 * Source of the forms: STATS.md, head (gsl_cdf_tdist_Q is an approximation
 * above 30 degrees of freedom) and Abramowitz and Stegun (1964), 26.7.1.
 */
#ifndef PD_STATS_DIST_H
#define PD_STATS_DIST_H

/*
 * P(|Z| > |z|) of a standard normal Z: the two-sided tails. 1 at z = 0, 0 where
 * it underflows (|z| above 38.5), NaN for NaN.
 */
double pd_dist_normal_tails(double z);
/* Density of the standard normal at z. */
double pd_dist_normal_density(double z);
/* The z >= 0 with pd_dist_normal_tails(z) = tails; tails in (0, 1], else NaN. */
double pd_dist_normal_critical(double tails);
/*
 * P(|T| > |t|) of a Student t with df >= .01 degrees of freedom, not
 * necessarily whole. Good to 1e-10 relative; above 1e7 degrees the normal is
 * taken, which is t^4/(4 df) off. NaN for a smaller df or a NaN.
 */
double pd_dist_t_tails(double t, double df);
/* The t >= 0 with pd_dist_t_tails(t, df) = tails; tails in (0, 1], else NaN. */
double pd_dist_t_critical(double tails, double df);

#endif
