"""What all tests share: the option that asks for everything."""


def pytest_addoption(parser):
    parser.addoption(
        "--full",
        action="store_true",
        help="check every rule in all dtypes, layouts and orders; a plain run takes a sample",
    )
