"""Values that are kept once they are known."""

import threading

from ludex.web.recent import LazyValue


class Document:
    """An object whose text takes as long as nobody has read another one's."""

    def __init__(self, ready: threading.Event) -> None:
        self.ready = ready

    @LazyValue
    def text(self) -> str:
        assert self.ready.wait(60)
        return "text"


def test_a_value_under_way_in_a_thread_does_not_delay_that_of_another_object() -> None:
    slow, fast = Document(threading.Event()), Document(threading.Event())
    fast.ready.set()
    thread = threading.Thread(target=lambda: slow.text)
    thread.start()
    assert fast.text == "text"
    slow.ready.set()
    thread.join()
    assert (slow.__dict__["text"], slow.text) == ("text", "text")
