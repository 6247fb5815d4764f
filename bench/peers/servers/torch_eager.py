"""Eager PyTorch behind FastAPI, without beginners' mistakes: torch_eager.py MODEL PORT.

A raw body, uvloop and httptools, inference mode, a pool; torch's own threads use all cores.
"""

import asyncio
import io
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from PIL import Image, ImageOps

from bench.peers.rows import crop_window, resized_size
from bench.peers.servers.torch_models import build

MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)

app = FastAPI()
model = build(sys.argv[1])
pool = ThreadPoolExecutor(2)


def row(data: bytes) -> torch.Tensor:
    """torchvision's recipe by Pillow: bilinear to short side 256, centre crop 224."""
    with Image.open(io.BytesIO(data)) as opened:
        image = ImageOps.exif_transpose(opened).convert("RGB")
    image = image.resize(resized_size(*image.size), Image.Resampling.BILINEAR)
    pixels = np.asarray(image.crop(crop_window(*image.size)), np.float32)
    pixels = (pixels / 255.0 - MEAN) / STD
    return torch.from_numpy(np.ascontiguousarray(pixels.transpose(2, 0, 1)))


def classify(data: bytes) -> dict[str, list[dict[str, int | float]]]:
    with torch.inference_mode():
        scores = model(row(data)[None])[0].softmax(0)
    best = scores.topk(5)
    found = zip(best.indices.tolist(), best.values.tolist(), strict=True)
    return {"predictions": [{"index": index, "score": score} for index, score in found]}


@app.post("/predict")
async def predict(request: Request) -> JSONResponse:  # so FastAPI validates nothing
    body = await request.body()
    loop = asyncio.get_running_loop()
    return JSONResponse(await loop.run_in_executor(pool, classify, body))


if __name__ == "__main__":
    port = int(sys.argv[2])
    uvicorn.run(app, port=port, loop="uvloop", http="httptools", access_log=False)
