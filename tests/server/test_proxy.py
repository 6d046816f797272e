"""A campaign behind the proxy of the guide: nginx with TLS, as `examples/campaign/nginx.conf` sets it up."""

from __future__ import annotations

import contextlib
import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from tercet.campaigns.campaign import Campaign
from tests.campaigns.build import created
from tests.conftest import ROOT, absent
from tests.server.processes import PATIENCE, end_group, free_port, serving

NAME = "judge.example.org"
CONFIGURATION = ROOT / "examples" / "campaign" / "nginx.conf"


@contextlib.contextmanager
def behind_nginx(folder: pathlib.Path, inner: int) -> Iterator[tuple[int, int, ssl.SSLContext]]:
    """Ports with and without TLS, and what trusts its certificate; the example, with places and ports of ours."""
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if nginx is None or shutil.which("openssl") is None:
        absent("nginx and openssl are not there")
    outer, plain = free_port(), free_port()
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    made += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", "privkey.pem", "-out", "fullchain.pem"]
    subprocess.run(made, cwd=folder, check=True, capture_output=True)
    text = CONFIGURATION.read_text(encoding="utf-8")
    for old, new in (
        ("/etc/letsencrypt/live/judge.example.org", str(folder)),
        ("listen 443 ", f"listen 127.0.0.1:{outer} "),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("127.0.0.1:8000", f"127.0.0.1:{inner}"),
    ):
        assert old in text
        text = text.replace(old, new)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}} http {{ access_log off; {places}"
    (folder / "nginx.conf").write_text(f"{head}\n{text}\n}}\n", encoding="utf-8")
    words = [nginx, "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    checked = subprocess.run([*words, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", outer), 1):
                break
            time.sleep(0.05)
        yield outer, plain, ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    finally:
        end_group(process, signal.SIGTERM)


class Far(http.client.HTTPSConnection):
    """A client that finds the server under its name."""

    def connect(self) -> None:
        """To loopback, whatever the name says."""
        plain = socket.create_connection(("127.0.0.1", self.port), 30)
        self.sock = self._context.wrap_socket(plain, server_hostname=NAME)  # type: ignore[attr-defined]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        """A reply and its body."""
        content = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        json_type = {} if body is None else {"Content-Type": "application/json"}
        self.request(method, path, content, {"Host": NAME, **json_type, **headers})
        reply = self.getresponse()
        return reply, reply.read()


def test_behind_a_proxy_with_tls(tmp_path: pathlib.Path) -> None:
    path, campaign = created(tmp_path, annotators=1)
    with serving(path) as url:
        inner = int(url.rpartition(":")[2])
        with behind_nginx(tmp_path, inner) as (outer, plain, trusted):
            far = Far(NAME, outer, context=trusted)
            link = campaign.links["annotator1"]
            reply, _ = far.ask(
                "GET", link, **{"X-Forwarded-Proto": "http"}
            )  # what a client says of that is not passed on
            cookie = reply.headers["set-cookie"]
            assert (reply.status, reply.headers["location"]) == (303, "/annotate")
            assert "Secure" in cookie
            assert "HttpOnly" in cookie
            assert reply.headers["strict-transport-security"] == "max-age=31536000"
            assert "default-src 'self'" in reply.headers["content-security-policy"]
            who = cookie.partition(";")[0]
            token = json.loads(far.ask("GET", "/api/protocol", Cookie=who)[1])["csrf"]
            item = json.loads(far.ask("GET", "/api/items?n=1", Cookie=who)[1])["items"][0]
            answer = {"key": item["key"], "answer": {"outputs": [{"rank": 1} for _ in item["outputs"]]}}
            reply, body = far.ask("POST", "/api/answers", {"answers": [answer]}, Cookie=who, **{"X-CSRF-Token": token})
            assert json.loads(body)["receipts"][0]["receipt"] > 0
            given = {"name": "organiser", "password": campaign.password}
            reply, _ = far.ask("POST", "/api/login", given)
            assert "Secure" in reply.headers["set-cookie"]
            reply, _ = far.ask("POST", "/api/answers", b" " * (2 << 20))
            assert reply.status == 413
            far.close()
            near = http.client.HTTPConnection("127.0.0.1", plain)
            with contextlib.closing(near):
                near.request("GET", link, headers={"Host": NAME})
                reply = near.getresponse()
                assert (reply.status, reply.headers["location"]) == (301, f"https://{NAME}{link}")
    with Campaign.open(path) as opened:
        assert opened.state.n_standing() == 1


def test_units_of_systemd_are_sound(tmp_path: pathlib.Path) -> None:
    if shutil.which("systemd-analyze") is None:
        absent("systemd-analyze is not there")
    for unit in sorted((ROOT / "examples" / "campaign").glob("tercet-*")):
        text = unit.read_text(encoding="utf-8").replace("/opt/tercet/bin/tercet", "/bin/true")
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    for unit in sorted(tmp_path.glob("tercet-*")):
        told = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
        ours = [line for line in told.stderr.splitlines() if re.search(r"tercet-\w+\.(service|timer)", line)]
        assert (told.returncode, ours) == (0, []), unit.name
