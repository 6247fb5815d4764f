"""The server of the articles: FastAPI, a form with a file, Pillow, ONNX Runtime as it comes."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
import uvicorn
from fastapi import FastAPI, UploadFile

from bench.peers.rows import pillow
from bench.peers.servers.lite0 import MODEL, Prediction, labels, top_5

app = FastAPI()
session = onnxruntime.InferenceSession(MODEL)
names = labels()
pool = ThreadPoolExecutor(8)


def classify(data: bytes) -> list[Prediction]:
    (logits,) = session.run(None, {"input": np.expand_dims(pillow(data), 0)})
    return top_5(logits[0], names)


@app.post("/predict")
async def predict(file: UploadFile) -> dict[str, list[Prediction]]:
    data = await file.read()
    loop = asyncio.get_running_loop()
    return {"predictions": await loop.run_in_executor(pool, classify, data)}


if __name__ == "__main__":  # with what `pip install fastapi uvicorn` brings, and nothing more
    port = int(sys.argv[1])
    uvicorn.run(app, port=port, loop="asyncio", http="h11", access_log=False)
