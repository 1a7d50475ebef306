// Package stat computes the few statistics whose digits must not depend on
// the machine: mean, sample variance, square root and the standard normal
// distribution function, all correctly rounded.
//
// # What correctly rounded means here
//
// A number enters as the exact decimal that was written ([ParseDecimal]).
// Sums, quotients and squares of such numbers are exact rationals ([Mean],
// [Variance]). A square root of a rational is held by its square ([Root]), so
// it is exact too. The normal distribution function of a root is a
// transcendental number, held as an enclosure that can be made as narrow as
// needed ([Phi], [Probability]). A mean of such numbers is taken before any of
// them is rounded ([MeanProbability]).
//
// Only the last step leaves these exact forms: [Float64], [Sqrt],
// [Root.Float64], [Probability.Float64] and [MeanProbability] return the
// float64 nearest to the true value, ties to even, never -0. That float64 is a
// property of the inputs alone. It cannot depend on the processor, on fused
// multiplication, on the version of a mathematical library, or on the order in
// which values arrive.
//
// # How Phi is enclosed
//
// With q = z*z, the value comes from one of two expansions that contain
// nothing but positive terms, so that truncation errs in a known direction:
//
//   - in the centre, Phi(z) = 1/2 + z phi(z) (1 + q/3 + q^2/(3*5) + ...);
//     Abramowitz & Stegun, Handbook of Mathematical Functions, 26.2.11, the
//     same as DLMF 7.6.2;
//   - in the tails, Laplace's continued fraction
//     Phi(-z) = phi(z) / (z + 1/(z + 2/(z + 3/(z + ...)))); Abramowitz &
//     Stegun 26.2.14, the same as DLMF 7.9.1.
//
// phi(z) = exp(-q/2)/sqrt(2 pi) is the density. Each file derives the error
// bound of its part in a comment.
//
// The package knows nothing about what is measured. Its values are immutable
// and safe for concurrent use, and its functions do not change their
// arguments. It uses the standard library only.
package stat
