"""Addresses signed with AWS Signature Version 4 (query parameters), as S3 and its likes take them.

https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote, urlsplit

from hopsight.providers.keys import Secret

_ALGORITHM: Final = "AWS4-HMAC-SHA256"


@dataclass(frozen=True, slots=True)
class Signer:
    """The account and region that addresses are signed for."""

    access_key: str
    secret_key: Secret
    region: str

    def presigned(self, method: str, url: str, expires_s: int, now: datetime) -> str:
        """`url` (without a query) with what lets anyone do `method` there until it expires."""
        parts = urlsplit(url)
        at = now.astimezone(UTC)
        stamp, day = at.strftime("%Y%m%dT%H%M%SZ"), at.strftime("%Y%m%d")
        scope = f"{day}/{self.region}/s3/aws4_request"
        parameters = {
            "X-Amz-Algorithm": _ALGORITHM,
            "X-Amz-Credential": f"{self.access_key}/{scope}",
            "X-Amz-Date": stamp,
            "X-Amz-Expires": str(expires_s),
            "X-Amz-SignedHeaders": "host",
        }
        query = "&".join(
            f"{quote(name, safe='')}={quote(value, safe='')}"
            for name, value in sorted(parameters.items())
        )
        path = parts.path or "/"
        canonical = f"{method}\n{path}\n{query}\nhost:{parts.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
        hashed = hashlib.sha256(canonical.encode()).hexdigest()
        signature = _hmac(self._key(day), f"{_ALGORITHM}\n{stamp}\n{scope}\n{hashed}").hex()
        return f"{parts.scheme}://{parts.netloc}{path}?{query}&X-Amz-Signature={signature}"

    def _key(self, day: str) -> bytes:
        key = f"AWS4{self.secret_key.value}".encode()
        for piece in (day, self.region, "s3", "aws4_request"):
            key = _hmac(key, piece)
        return key


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
