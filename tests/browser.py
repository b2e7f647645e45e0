"""A real browser for tests: headless Chromium through ChromeDriver, over the W3C WebDriver protocol."""

import base64
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The protocol's own name of a reference to an element."""
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1300,900",
)  # fmt: skip


class Browser:
    """One page in one window."""

    def __init__(self, base: str, *, javascript: bool) -> None:
        options: dict[str, Any] = {"binary": CHROMIUM, "args": list(OPTIONS)}
        if not javascript:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        self.base = base
        made = self.ask("POST", "", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self.base = f"{base}/{made['sessionId']}"

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a command and return its value."""
        reply = requests.request(method, f"{self.base}{path}", json=body or {}, timeout=60)
        value = reply.json()["value"]
        assert reply.ok, value
        return value

    def open(self, path: Path) -> None:
        """Load a page from a file."""
        self.ask("POST", "/url", {"url": path.absolute().as_uri()})

    def find(self, selector: str) -> list[str]:
        """Return the elements that fit a CSS selector."""
        found = self.ask("POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def click(self, selector: str) -> None:
        """Click on the first element that fits, as a mouse does."""
        self.ask("POST", f"/element/{self.find(selector)[0]}/click")

    def type(self, selector: str, text: str) -> None:
        """Type into an element."""
        self.ask("POST", f"/element/{self.find(selector)[0]}/value", {"text": text})

    def texts(self, selector: str) -> list[str]:
        """Return the visible texts of the elements that fit; hidden ones are empty."""
        return [self.ask("GET", f"/element/{element}/text") for element in self.find(selector)]

    def screenshot(self, path: Path) -> None:
        """Save a picture of the window."""
        path.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    def close(self) -> None:
        """Close the window."""
        self.ask("DELETE", "")


@contextmanager
def open_browser(*, javascript: bool = True) -> Iterator[Browser]:
    """Start a browser and end it afterwards."""
    assert DRIVER
    with subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        port = next(
            found[1] for line in process.stdout if (found := re.search(r"successfully on port (\d+)", line))
        )
        try:
            browser = Browser(f"http://127.0.0.1:{port}/session", javascript=javascript)
            yield browser
            browser.close()
        finally:
            process.terminate()
