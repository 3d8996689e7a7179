"""A server that speaks OpenAI's and Jina's `/embeddings` format, for tests of what asks it.

Words are hashed into a vector; a picture is the vector of the words of the colour that it shows,
so that words find pictures. `salt` makes another model of it.
"""

import base64
import hashlib
import io
import re

import numpy as np
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from PIL import Image

COLOURS = {"red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "black": (0, 0, 0)}


def vector(text: str, dimension: int, salt: str) -> np.ndarray:
    words = re.findall(r"\w+", text.lower()) or [""]
    total = np.zeros(dimension)
    for word in words:
        seed = hashlib.sha256(f"{salt}:{word}".encode()).digest()
        total += np.random.default_rng(int.from_bytes(seed[:8])).normal(size=dimension)
    return total / np.linalg.norm(total)


def picture_of(colour: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (32, 32), COLOURS[colour]).save(buffer, "PNG")
    return buffer.getvalue()


def _words_of(item) -> str:
    if isinstance(item, str):
        return item.removeprefix("query: ").removeprefix("passage: ")
    if "text" in item:
        return str(item["text"])
    image = Image.open(io.BytesIO(base64.b64decode(item["image"])))
    pixel = image.convert("RGB").getpixel((0, 0))
    return next(name for name, value in COLOURS.items() if value == pixel)


def embedding_app(dimension: int = 48, salt: str = "a") -> FastAPI:
    app = FastAPI()
    app.state.asked = []
    app.state.fault = ""

    @app.post("/v1/embeddings")
    async def embeddings(request: Request):
        body = await request.json()
        app.state.asked.append(body)
        rows = [vector(_words_of(item), dimension, salt) for item in body["input"]]
        if app.state.fault == "down":
            return JSONResponse({"error": "overloaded"}, 503)
        if app.state.fault == "short":
            rows = rows[:-1] or [rows[0], rows[0]]
        if app.state.fault == "nan":
            return JSONResponse({"data": [{"index": 0, "embedding": ["NaN"] * dimension}]})
        data = [{"index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]
        return {"object": "list", "data": data[::-1], "model": body["model"]}

    return app
