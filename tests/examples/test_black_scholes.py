"""The nested gradients are the closed forms of the textbook."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import norm


def closed_forms(example: ModuleType, k: np.ndarray) -> dict[str, np.ndarray]:
    s, v, t, r = example.SPOT, example.VOLATILITY, example.YEARS, example.RATE
    root = np.sqrt(t)
    d1 = (np.log(s / k) + (r + v**2 / 2) * t) / (v * root)
    d2 = d1 - v * root
    vega, gamma = s * norm.pdf(d1) * root, norm.pdf(d1) / (s * v * root)
    discounted = k * np.exp(-r * t)
    return {
        "price": s * norm.cdf(d1) - discounted * norm.cdf(d2),
        "delta": norm.cdf(d1),
        "vega": vega,
        "theta": -vega * v / (2 * t) - r * discounted * norm.cdf(d2),
        "rho": t * discounted * norm.cdf(d2),
        "gamma": gamma,
        "vanna": -norm.pdf(d1) * d2 / v,
        "vomma": vega * d1 * d2 / v,
        "speed": -gamma / s * (d1 / (v * root) + 1),
    }


def test_greeks_are_the_closed_forms(example: ModuleType) -> None:
    wanted, found = closed_forms(example, example.STRIKES), example.table(example.STRIKES)
    assert list(found) == list(wanted)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-10, err_msg=name)


def test_volatility_is_found_again(example: ModuleType) -> None:
    prices = example.table(example.STRIKES)["price"]
    found = example.implied(prices, example.STRIKES)
    np.testing.assert_allclose(found, example.VOLATILITY, rtol=1e-9)


def test_it_prints_and_draws(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "greeks.png"
    assert example.main(["--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split() == ["strike", *example.GREEKS]
    assert picture.read_bytes().startswith(b"\x89PNG")
