"""The greeks of options by nesting gradients, and implied volatilities by Halley's method.

    python examples/black_scholes.py

Everything comes from the one formula for the price. `elementwise_grad` differentiates it for a
whole array of strikes at once, and its result is a function that can be differentiated again:
vanna, for instance, is the slope in the volatility of the slope in the spot price.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import newton
from scipy.special import ndtr

from autodiff import elementwise_grad

SPOT, VOLATILITY, YEARS, RATE = 100.0, 0.25, 0.5, 0.03
STRIKES = np.arange(80.0, 125.0, 5.0)


def price(spot: Any, volatility: Any, years: Any, rate: Any, strike: Any) -> Any:
    """Return the price of a European call (Black and Scholes 1973)."""
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + rate * years) / spread + spread / 2
    return spot * ndtr(d1) - strike * np.exp(-rate * years) * ndtr(d1 - spread)


delta = elementwise_grad(price, 0)
vega = elementwise_grad(price, 1)
decay = elementwise_grad(price, 2)
rho = elementwise_grad(price, 3)
gamma = elementwise_grad(delta, 0)
vanna = elementwise_grad(delta, 1)
vomma = elementwise_grad(vega, 1)
speed = elementwise_grad(gamma, 0)

GREEKS: dict[str, Callable[..., Any]] = {
    "price": price,
    "delta": delta,
    "vega": vega,
    "theta": lambda *arguments: -decay(*arguments),
    "rho": rho,
    "gamma": gamma,
    "vanna": vanna,
    "vomma": vomma,
    "speed": speed,
}


def table(strikes: np.ndarray) -> dict[str, np.ndarray]:
    """Return price and greeks, one for each strike."""
    arguments = [np.full(strikes.shape, x) for x in (SPOT, VOLATILITY, YEARS, RATE)]
    return {name: greek(*arguments, strikes) for name, greek in GREEKS.items()}


def implied(prices: np.ndarray, strikes: np.ndarray) -> np.ndarray:
    """Return the volatilities that give the prices; vega and vomma guide the search."""
    others = (YEARS, RATE, strikes)
    return newton(
        lambda v: price(SPOT, v, *others) - prices,
        np.full(strikes.shape, 0.4),
        fprime=lambda v: vega(SPOT, v, *others),
        fprime2=lambda v: vomma(SPOT, v, *others),
    )


def draw(path: Path) -> None:
    """Save price and greeks as curves over the strike."""
    import matplotlib.pyplot as plt

    strikes = np.linspace(60, 150, 300)
    figure, axes = plt.subplots(3, 3, figsize=(9, 7), sharex=True, layout="constrained")
    for ax, (name, values) in zip(axes.flat, table(strikes).items(), strict=True):
        ax.axvline(SPOT, color="0.85")
        ax.plot(strikes, values, color="tab:blue")
        ax.set_title(name)
        ax.spines[["top", "right"]].set_visible(False)
    for ax in axes[-1]:
        ax.set_xlabel("strike")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Print the table, find the volatility again from prices, draw, and return 0."""
    parser = argparse.ArgumentParser(description="The greeks of options by nesting gradients.")
    parser.add_argument("--out", type=Path, default=Path("black_scholes.png"))
    options = parser.parse_args(arguments)

    greeks = table(STRIKES)
    print(f"{'strike':>7}" + "".join(f"{name:>10}" for name in greeks))
    for strike, *row in zip(STRIKES, *greeks.values(), strict=True):
        print(f"{strike:7.0f}" + "".join(f"{value:10.5f}" for value in row))
    found = implied(greeks["price"], STRIKES)
    print(f"volatility {VOLATILITY}, from prices {found.min():.12f} to {found.max():.12f}")
    draw(options.out)
    print(f"picture    {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
