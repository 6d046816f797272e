"""`serve`: the server of one campaign, until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.log import Log
from tercet.errors import InputError, extra
from tercet.options import verb
from tercet.options.campaigns import ServeOptions

_WHAT = "A campaign's server"


def run_server(asked: ServeOptions, ready: Callable[[str], None] = lambda _: None) -> None:
    """Serve a campaign; `ready` hears its address as soon as it can be asked."""
    uvicorn = extra("uvicorn", "uvicorn", "campaign", _WHAT)
    extra("fastapi", "fastapi", "campaign", _WHAT)
    from tercet.server.app import make_app

    log = Log(asked.campaign)
    log.hold()
    log.migrate()
    campaign = Campaign(log)
    listening = _listening(asked.host, asked.port)
    host, port = listening.getsockname()[:2]
    config = uvicorn.Config(
        make_app(campaign, asked.together),
        log_level="warning",
        access_log=False,
        proxy_headers=True,
        forwarded_allow_ips=asked.proxies,
        server_header=False,
        timeout_keep_alive=75,
    )
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}")
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


@verb(ServeOptions)
def serve_campaign(asked: ServeOptions) -> None:
    """Serve a campaign to annotators and organisers until it is stopped."""
    run_server(asked)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"The server cannot listen at {host}, port {port}: {error.strerror}.", hint="Choose another --port."
        ) from None
    listening.listen(2048)
    return listening
