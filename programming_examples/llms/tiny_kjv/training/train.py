#!/usr/bin/env python3
"""Trains tiny_kjv on the CPU: train.py OUTDIR SECONDS [SEED]

Writes config.json, generation_config.json, model.safetensors (bf16), tokenizer.json, sample.txt and train.log.
Needs Debian's python3-torch python3-numpy libopenblas0-pthread bible-kjv bible-kjv-text. The learning rate follows the clock,
so that two runs of one seed differ. AUTOCAST=0 trains in fp32 throughout.
"""

import json
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

import corpus
from model import Model, config, write_safetensors
from tokenizer import Tokenizer

VOCAB_SIZE = 1024
VALIDATION_TOKENS = 40000
BATCH, POSITIONS = 16, 128
PEAK_LEARNING_RATE, WARM_UP_STEPS = 4e-3, 100


class Log:

    def __init__(self, path):
        self.file = open(path, "w")

    def __call__(self, text):
        print(text, flush=True)
        print(text, file=self.file, flush=True)


def batch(tokens, bos, rng):
    starts = rng.integers(0, len(tokens) - POSITIONS - 1, BATCH)
    windows = np.stack([tokens[i:i + POSITIONS + 1] for i in starts])
    inputs, targets = windows[:, :-1].copy(), windows[:, 1:].copy()
    inputs[rng.random(BATCH) < 0.1, 0] = bos  # so that the model has seen a BOS in front of any text
    return torch.from_numpy(inputs), torch.from_numpy(targets)


def loss_of(logits, targets):
    return F.cross_entropy(logits.float().view(-1, VOCAB_SIZE), targets.reshape(-1))


def evaluate(model, weights, tokens, batches=16):
    size, total = BATCH * POSITIONS, 0.0
    with torch.no_grad():
        for i in range(batches):
            window = torch.from_numpy(tokens[i * size:(i + 1) * size + 1])
            total += loss_of(model.logits(weights, window[:-1].view(BATCH, POSITIONS)), window[1:]).item()
    return total / batches


def train(model, tokens, bos, seconds, rng, log):
    weights = model.initial_weights()
    log(f"{sum(weight.numel() for weight in weights.values())} parameters")
    optimizer = torch.optim.AdamW([
        dict(params=[weight for weight in weights.values() if weight.dim() > 1], weight_decay=0.1),
        dict(params=[weight for weight in weights.values() if weight.dim() == 1], weight_decay=0.0)], betas=(0.9, 0.95), eps=1e-8)
    autocast = os.environ.get("AUTOCAST", "1") == "1"
    start, step, average, next_report = time.time(), 0, None, 0
    while (elapsed := time.time() - start) < seconds:
        cosine = 0.5 * (1 + math.cos(math.pi * elapsed / seconds))
        rate = PEAK_LEARNING_RATE * min(1, (step + 1) / WARM_UP_STEPS) * (0.02 + 0.98 * cosine)
        for group in optimizer.param_groups:
            group["lr"] = rate
        inputs, targets = batch(tokens, bos, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
            logits = model.logits(weights, inputs)
        loss = loss_of(logits, targets)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
        optimizer.step()
        step += 1
        average = loss.item() if average is None else 0.98 * average + 0.02 * loss.item()
        if elapsed >= next_report:
            log(f"{elapsed:6.0f} s step {step} loss {average:.3f} lr {rate:.5f}")
            next_report += 30
    log(f"done: {step} steps, {step * BATCH * POSITIONS} tokens")
    return weights


def generate(model, weights, tokenizer, prompt, count, temperature, top_k=40):
    ids, generator = [tokenizer.bos] + tokenizer.encode(prompt), torch.Generator().manual_seed(7)
    with torch.no_grad():
        for _ in range(count):
            logits = model.logits(weights, torch.tensor([ids[-256:]]))[0, -1].float()
            logits[tokenizer.bos:] = -1e9
            if temperature == 0:
                ids.append(int(logits.argmax()))
            else:
                values, indices = torch.topk(logits / temperature, top_k)
                ids.append(int(indices[torch.multinomial(torch.softmax(values, -1), 1, generator=generator)]))
    return tokenizer.decode(ids)


def main(directory, seconds, seed=1):
    os.makedirs(directory, exist_ok=True)
    log = Log(f"{directory}/train.log")
    torch.manual_seed(seed)
    torch.set_num_threads(2)
    rng = np.random.default_rng(seed)

    text = corpus.load()
    tokenizer = Tokenizer(text, VOCAB_SIZE)
    tokens = np.array(tokenizer.encode(text), dtype=np.int64)
    log(f"text {len(text)} bytes, {len(tokens)} tokens ({len(text) / len(tokens):.2f} bytes/token), vocab {VOCAB_SIZE}")
    training, validation = tokens[:-VALIDATION_TOKENS], tokens[-VALIDATION_TOKENS:]
    with open(f"{directory}/tokenizer.json", "w") as file:
        json.dump(tokenizer.huggingface(), file, ensure_ascii=False, indent=1)

    model = Model(config(tokenizer, VOCAB_SIZE))
    with open(f"{directory}/config.json", "w") as file:
        json.dump(model.config, file, indent=2)
    with open(f"{directory}/generation_config.json", "w") as file:
        json.dump({"bos_token_id": tokenizer.bos, "eos_token_id": tokenizer.eos, "do_sample": False}, file, indent=2)

    weights = train(model, training, tokenizer.bos, seconds, rng, log)
    rounded = {name: weight.detach().to(torch.bfloat16) for name, weight in weights.items()}
    log(f"validation, nats/token: fp32 {evaluate(model, weights, validation):.4f}, bf16 {evaluate(model, rounded, validation):.4f}")
    write_safetensors(f"{directory}/model.safetensors", rounded)
    with open(f"{directory}/sample.txt", "w") as file:
        for prompt in ("In the beginning", "And Jesus said unto", "The LORD is my"):
            for temperature in (0.0, 0.7):
                file.write(f"[temp {temperature}] {generate(model, rounded, tokenizer, prompt, 120, temperature)}\n\n")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *map(int, sys.argv[3:]))
