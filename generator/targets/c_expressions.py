"""C of our helpers read as Python: words and expressions."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field

from generator.errors import Unsupported
from generator.printers import Binding, Code
from generator.targets.words import words

TOKEN = re.compile(
    r"""
    (?P<skip>\s+|/\*.*?\*/)
    |(?P<number>0[xX][\da-fA-F]*\.?[\da-fA-F]*[pP][-+]?\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>\+\+|--|[-+*/%<>=!]=|&&|\|\||<<|>>|[-+*/%<>=!&?:;,(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)
SAME = words("""
    acos acosh asin asinh atan atan2 atanh copysign cos cosh erf erfc exp expm1 fabs hypot
    isfinite isinf isnan ldexp lgamma log log10 log1p log2 pow sin sinh sqrt tan tanh
""")
# What the functions of C are called that Numba can call.
FUNCTIONS = {name: f"math.{name}" for name in SAME} | {
    "cbrt": "np.cbrt",
    "ceil": "np.ceil",
    "exp2": "np.exp2",
    "floor": "np.floor",
    "fma": "_fma",
    "fmax": "np.fmax",
    "fmin": "np.fmin",
    "fmod": "np.fmod",
    "nextafter": "np.nextafter",
    "rint": "np.rint",
    "tgamma": "math.gamma",
    "trunc": "np.trunc",
}
CONSTANTS = {"DBL_MAX": "1.7976931348623157e308", "INFINITY": "math.inf", "NAN": "math.nan"}
OF_WHOLE = {"isfinite", "isinf", "isnan"}
# Operators from the loosest to the tightest.
LEVELS: tuple[tuple[frozenset[str], Binding], ...] = (
    (frozenset({"||"}), Binding.OR),
    (frozenset({"&&"}), Binding.AND),
    (frozenset({"==", "!=", "<", "<=", ">", ">="}), Binding.COMPARISON),
    (frozenset({"+", "-"}), Binding.SUM),
    (frozenset({"*", "/", "%"}), Binding.PRODUCT),
)
WORDS = {"||": "or", "&&": "and"}


def tokens(text: str) -> list[str]:
    """Return the words of C code, without comments.

    >>> tokens("x += 2.0; /* twice */")
    ['x', '+=', '2.0', ';']
    """
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise Unsupported(f"C has {text[at : at + 10]!r}")
        if match.lastgroup != "skip":
            found.append(match.group())
        at = match.end()
    return found


@dataclass
class Reader:
    """Reads words from left to right; knows which names are whole numbers.

    Attributes
    ----------
    words : list of str
        What is read.
    whole : set of str
        Names of variables that are int.
    calls : dict
        Functions of ours that are called, in order.
    at : int
        The place.
    own, again : str
        The function that is read, and what it calls where it calls itself.
    """

    words: list[str]
    whole: set[str] = field(default_factory=set)
    calls: dict[str, None] = field(default_factory=dict)
    at: int = 0
    own: str = ""
    again: str = ""

    def peek(self, ahead: int = 0) -> str:
        """Return a word to come; empty at the end."""
        place = self.at + ahead
        return self.words[place] if place < len(self.words) else ""

    def take(self, expected: str = "") -> str:
        """Return the next word, which has to be `expected`, if that is given."""
        word = self.peek()
        if expected and word != expected:
            raise Unsupported(f"C has {word!r} in the place of {expected!r}")
        self.at += 1
        return word

    def is_next(self, *expected: str) -> bool:
        """Take the next words and return true if they are as expected."""
        if all(self.peek(k) == word for k, word in enumerate(expected)):
            self.at += len(expected)
            return True
        return False

    def expression(self) -> tuple[Code, bool]:
        """Return an expression in Python, and whether it is a whole number."""
        condition, whole = self._level(0)
        if not self.is_next("?"):
            return condition, whole
        yes, both = self.expression()
        self.take(":")
        no, other = self.expression()
        test = condition.inside(Binding.OR)
        text = f"{yes.inside(Binding.OR)} if {test} else {no}"
        return Code(text, Binding.TERNARY), both and other

    def _level(self, level: int) -> tuple[Code, bool]:
        if level == len(LEVELS):
            return self._signed()
        signs, binding = LEVELS[level]
        left, whole = self._level(level + 1)
        while self.peek() in signs:
            sign = self.take()
            right, other = self._level(level + 1)
            tighter = Binding(binding + 1)
            if sign == "/" and whole and other:
                left = Code(f"int({left.inside(binding)} / {right.inside(tighter)})")
                continue
            whole = (whole and other) if binding > Binding.COMPARISON else True
            # "and" beside "or" stands in parentheses.
            tighter = Binding.NOT if sign == "||" else tighter
            inner = binding if binding != Binding.COMPARISON else tighter
            inner = tighter if sign == "||" and left.binding == Binding.AND else inner
            text = f"{left.inside(inner)} {WORDS.get(sign, sign)} {right.inside(tighter)}"
            left = Code(text, binding)
        return left, whole

    def _signed(self) -> tuple[Code, bool]:
        if self.is_next("-"):
            inner, whole = self._signed()
            return Code(f"-{inner.inside(Binding.SIGN)}", Binding.SIGN), whole
        if self.is_next("+"):
            return self._signed()
        if self.is_next("!"):
            inner, _ = self._signed()
            return Code(f"not {inner.inside(Binding.COMPARISON)}", Binding.NOT), True
        if self.is_next("(", "int", ")"):
            return Code(f"int({self._signed()[0]})"), True
        if self.is_next("(", "double", ")"):
            return Code(f"float({self._signed()[0]})"), False
        return self._atom()

    def _atom(self) -> tuple[Code, bool]:
        word = self.take()
        if word == "(":
            inner, whole = self.expression()
            self.take(")")
            return inner, whole
        if word[0].isdigit() or word[0] == ".":
            return Code(number(word)), word.isdigit()
        if not word.isidentifier():
            raise Unsupported(f"C has {word!r}")
        if self.is_next("("):
            return self._call(word)
        if self.is_next("["):
            index, _ = self.expression()
            self.take("]")
            return Code(f"{name(word)}[{index}]"), word in self.whole
        if word.isupper() and len(word) > 1 and word not in CONSTANTS:
            raise Unsupported(f"C has the constant {word}")
        return Code(CONSTANTS.get(word, name(word))), word in self.whole

    def _call(self, function: str) -> tuple[Code, bool]:
        args = []
        while not self.is_next(")"):
            if self.peek() == "&":
                raise Unsupported(f"C passes an address to {function}")
            args.append(self.expression()[0])
            self.is_next(",")
        if function in FUNCTIONS:
            called = FUNCTIONS[function]
        elif function.startswith("ad_"):
            called = self.called(function)
        else:
            raise Unsupported(f"C calls {function}, which Numba lacks")
        return Code(f"{called}({', '.join(args)})"), function in OF_WHOLE

    def called(self, function: str) -> str:
        """Return what a function of ours is called, and note that it is."""
        self.calls[function] = None
        return self.again if function == self.own else python_name(function)


def python_name(function: str) -> str:
    """Return the name in Python of a function of ours in C.

    >>> python_name("ad_support_gauss"), python_name("ad_erfcx")
    ('_raw_gauss', 'erfcx')
    """
    support = function.removeprefix("ad_support_")
    return f"_raw_{support}" if support != function else function.removeprefix("ad_")


def name(word: str) -> str:
    """Return a variable's name, another one if Python has it for itself."""
    return f"{word}_" if keyword.iskeyword(word) else word


def number(word: str) -> str:
    """Return a literal; those in hexadecimal are powers of two.

    >>> number("0x1p-960"), number("2.0"), number("134217728.0")
    ('2.0**-960', '2.0', '134217728.0')
    """
    if not word.lower().startswith("0x"):
        return word
    mantissa, _, exponent = word.lower().partition("p")
    if mantissa == "0x1":
        return f"2.0**{exponent}"
    return repr(float.fromhex(word))
