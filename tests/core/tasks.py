"""Tasks that worker processes can import."""

import os


def square(number: int) -> int:
    if number == 13:
        raise ArithmeticError("unlucky")
    return number * number


def process_id(_: int) -> int:
    return os.getpid()
