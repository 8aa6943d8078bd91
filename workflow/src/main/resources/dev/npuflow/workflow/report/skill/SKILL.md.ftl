---
name: ${name}
description: Does not upload what the device overwrites before it reads it.
---

# ${title}

## Purpose

An argument that the device writes before it reads needs no upload. A baseline plan uploads it on every call.

## When it applies

To a call with an argument that every launch writes before another reads it.

## What it does

The argument's transfer becomes INTERMEDIATE: the host does not write it any more.

## Self-check

Bit-identical: the device computes the same from the same inputs.

## Failure modes

| symptom | cause | remedy |
|---|---|---|
| wrong from the second run on | an argument is read before it is written | Compare AccessAnalysis with what the kernel reads. |
