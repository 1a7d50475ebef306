#!/usr/bin/env python3
"""Writes phi.tsv: values of the standard normal distribution function.

    python3 phi.py > phi.tsv        (needs mpmath; made with mpmath 1.3.0)

Columns: the sign of z, z*z as a fraction, Phi(z) rounded to float64.

Each tail probability is computed twice with 420 digits: by mpmath's erfc, and
by the trapezoidal rule for an integral of erfc with the correction for the
poles of the integrand (C. Chiarella and A. Reichel, On the evaluation of
integrals related to the error function, Mathematics of Computation 22, 1968).
With step h the rule is off by about exp(-(pi/h)^2), here 1e-2469. Both must
agree to 60 digits. The Go code uses neither method. The rounding to float64 is
Python's division of integers, which is correct to the last bit, subnormal
numbers included.
"""

import random
import sys
from fractions import Fraction

from mpmath import mp, mpf

mp.dps = 420
STEP = mpf(1) / 24


def tail_erfc(z):
    return mp.erfc(z / mp.sqrt(2)) / 2


def tail_grid(z):
    # erfc(x) = (2 h x exp(-x^2)/pi) (1/(2 x^2) + sum exp(-k^2 h^2)/(x^2 + k^2 h^2))
    #           + 2/(1 - exp(2 pi x/h)), the last term for x < pi/h only.
    x, h = z / mp.sqrt(2), STEP
    total, k = 1 / (2 * x * x), 1
    while True:
        term = mp.exp(-((k * h) ** 2)) / (x * x + (k * h) ** 2)
        total += term
        if term < total * mpf(10) ** -mp.dps:
            break
        k += 1
    erfc = 2 * h * x * mp.exp(-x * x) / mp.pi * total
    if x < mp.pi / h:
        erfc += 2 / (1 - mp.exp(2 * mp.pi * x / h))
    return erfc / 2


def exact(x):
    sign, man, exp, _ = x._mpf_
    f = Fraction(int(man)) * Fraction(2) ** int(exp)
    return -f if sign else f


def arguments():
    rng = random.Random(20240607)
    yield from ((s, Fraction(n, 10) ** 2) for n in range(1, 84) for s in (-1, 1))
    # The lower tail down to the last subnormal, and beyond it.
    yield from ((-1, Fraction(n, 4) ** 2) for n in range(34, 156))
    yield from ((-1, Fraction(n, 100) ** 2) for n in range(3740, 3860, 4))
    yield from ((s, Fraction(z) ** 2) for z in (39, 40) for s in (-1, 1))
    # Where the upper side becomes 1.
    yield from ((1, Fraction(n, 1000) ** 2) for n in range(8200, 8320, 6))
    # Near 0.
    yield from ((s, Fraction(1, 10**n)) for n in range(1, 41, 3) for s in (-1, 1))
    # Squares that are not squares of rationals.
    for _ in range(120):
        q = Fraction(rng.randrange(1, 10**9), 10**8) ** rng.choice((1, 2, 3))
        if q < 1490:
            yield rng.choice((-1, 1)), q
    for n in range(2, 40, 3):
        yield -1, Fraction(n)
        yield 1, Fraction(n, 7)
    # Squares with long numerators.
    for _ in range(20):
        d = rng.randrange(1, 10**60)
        yield rng.choice((-1, 1)), Fraction(rng.randrange(1, 30 * d), d)


def main():
    seen = set()
    for sign, q in arguments():
        if (sign, q) in seen:
            continue
        seen.add((sign, q))
        z = mp.sqrt(mpf(q.numerator) / mpf(q.denominator))
        tail = tail_erfc(z)
        if abs(tail_grid(z) / tail - 1) > mpf(10) ** -60:
            sys.exit(f"the two methods differ at {sign} * sqrt({q})")
        value = exact(tail if sign < 0 else 1 - tail)
        print(sign, q, value.numerator / value.denominator, sep="\t")


main()
