"""Pages that check for bots: they come with any status, 200 too, and say nothing about the address asked."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bibtools.transport import Reply

HEADERS = ("cf-mitigated", "x-amzn-waf-action", "x-datadome", "x-sucuri-block")
"""Headers that only challenge or refusal pages carry: Cloudflare, AWS WAF, DataDome, Sucuri."""
MARKS = re.compile(
    rb"<title>\s*(?:just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|robot check"
    rb"|verify(?:ing)? you are human|making sure you|ddos-guard"
    rb"|please wait|checking your browser|pardon our interruption|client challenge|human verification"
    rb"|one more step|captcha)"
    rb"|/cdn-cgi/challenge-platform/|cf-browser-verification|/\.within\.website/|anubis_challenge"
    rb"|_incapsula_resource|captcha-delivery\.com|aws-waf-token|px-captcha|window\.awswafcookie",
    re.IGNORECASE,
)
"""Titles and parts of the challenge pages of Cloudflare, Anubis, Imperva, DataDome, AWS and PerimeterX."""
STRONG_STATUS = frozenset({202, 401, 403, 405, 429, 503})
SHORT = 30_000
"""With a good status, only a page this short can be a challenge; long ones merely mention such things."""


def is_challenge(reply: "Reply") -> bool:
    """Return whether an answer is a page that checks for bots."""
    if any(reply.header(name) for name in HEADERS):
        return True
    if "html" not in reply.media_type or not MARKS.search(reply.body[:SHORT]):
        return False
    return reply.status in STRONG_STATUS or len(reply.body) < SHORT
