"""Robots speak just enough HTTP."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator, Sequence

import pytest

from tercet.campaigns.protocol import load_protocol, protocol_names
from tercet.errors import InputError
from tercet.options.campaigns import SimulateOptions
from tercet.server.robots import UNREACHED, Line, Robot


@contextlib.contextmanager
def answering(*replies: Sequence[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """A server of one connection, which sends each reply in its pieces; what it was asked is told."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for pieces in replies:
                    asked.append(line.recv(1 << 16))
                    for piece in pieces:
                        line.sendall(piece)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
        finally:
            thread.join()


def test_replies_come_in_pieces_over_one_connection() -> None:
    first = (b"HTTP/1.1 303 See Other\r\nSet-Cookie: a=b\r\nconte", b"nt-length: 0\r\n\r\n")
    second = (b"HTTP/1.1 200 OK\r\nContent-Length:  5\r\n\r\nab", b"cde")
    with answering(first, second) as (url, asked), contextlib.closing(Line(url)) as line:
        assert line.ask("GET", "/a/x", {}) == (303, "Set-Cookie: a=b\ncontent-length: 0", b"")
        assert line.ask("POST", "/api", {"X-Token": "t"}, b"{}")[::2] == (200, b"abcde")
    host = url.removeprefix("http://").encode()
    assert asked[0] == b"GET /a/x HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 0\r\n\r\n"
    assert asked[1].endswith(b"\r\nContent-Length: 2\r\nX-Token: t\r\n\r\n{}")


def test_what_is_no_whole_reply_is_an_error() -> None:
    with answering((b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",)) as (url, _), pytest.raises(ConnectionError):
        Line(url).ask("GET", "/", {})
    endless = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",)
    with answering(endless) as (url, _), pytest.raises(http.client.HTTPException, match="how long"):
        Line(url).ask("GET", "/", {})
    with pytest.raises(UNREACHED):
        Line(url).ask("GET", "/", {})  # nobody is there any more


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://host", "http://", "http://host:99999", "http://[::1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InputError, match="is no address of a server"):
        Line(url)


@pytest.mark.parametrize("name", protocol_names())
def test_answers_are_as_the_protocol_wants_them(name: str) -> None:
    protocol, robot = load_protocol(name), Robot(SimulateOptions("", url="http://127.0.0.1:1"), "/a/x", 0, None)
    known = protocol.public("en")
    robot.fields, robot.rules = list(protocol.fields), known.get("rules", [])
    item = {"source": "Haus", "outputs": [{"text": f"house {i}"} for i in range(protocol.n_outputs)]}
    assert [protocol.problems(robot.answer(item), item) for _ in range(50)] == [[]] * 50


@pytest.mark.parametrize(("share", "careless"), [(0.0, 0), (0.25, 25), (0.29, 29), (1.0, 100)])
def test_that_share_of_the_robots_does_not_read(share: float, careless: int) -> None:
    asked = SimulateOptions("", url="http://127.0.0.1:1", careless=share)
    assert sum(Robot(asked, "/a/x", i, None).careless for i in range(100)) == careless
    assert sum(Robot(asked, "/a/x", i, None).careless for i in range(4)) == careless // 25
