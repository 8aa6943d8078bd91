"""Writes two small models with `attention_bias` and their right values: numpy only, no KV cache, nothing of npuflow's.

Order and roundings are those of transformers' modeling_llama.py and modeling_qwen3.py in eager bf16: a linear layer with a bias rounds once, after the
addition; in Qwen3 the norm of each head comes after the bias. float64 is the same without any rounding.
"""
import json, pathlib, struct, sys
import numpy as np

HERE = pathlib.Path(__file__).parent
PROMPT = [3, 10, 5, 22, 14, 3, 9]
TOKENS = 8
SHAPE = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=32, vocab_size=32)


def bf16(x):
    bits = np.asarray(x, dtype=np.float32).view(np.uint32).astype(np.uint64)
    return (((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16).astype(np.uint32).view(np.float32).astype(np.float64)


def tensors(seed, qwen3):
    rng, s = np.random.default_rng(seed), SHAPE
    hidden, inner, head = s["hidden_size"], s["intermediate_size"], s["head_dim"]
    query, key = s["num_attention_heads"] * head, s["num_key_value_heads"] * head
    named = {"model.embed_tokens.weight": rng.normal(size=(s["vocab_size"], hidden))}

    def linear(name, rows, columns, bias):
        named[name + ".weight"] = rng.normal(size=(rows, columns)) * 2 / np.sqrt(columns)
        if bias:
            named[name + ".bias"] = rng.normal(size=rows)

    for layer in range(s["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        named[at + "input_layernorm.weight"] = 1 + 0.2 * rng.normal(size=hidden)
        for name, rows, columns in (("q", query, hidden), ("k", key, hidden), ("v", key, hidden), ("o", hidden, query)):
            linear(at + f"self_attn.{name}_proj", rows, columns, True)
        if qwen3:
            for name in "qk":
                named[at + f"self_attn.{name}_norm.weight"] = 1 + 0.2 * rng.normal(size=head)
        named[at + "post_attention_layernorm.weight"] = 1 + 0.2 * rng.normal(size=hidden)
        for name, rows, columns in (("gate", inner, hidden), ("up", inner, hidden), ("down", hidden, inner)):
            linear(at + f"mlp.{name}_proj", rows, columns, False)
    named["model.norm.weight"] = 1 + 0.2 * rng.normal(size=hidden)
    linear("lm_head", s["vocab_size"], hidden, False)
    return {name: bf16(values) for name, values in named.items()}


def logits(w, ids, r, qwen3, skip=""):
    """All positions at once; `r` rounds, or does not."""
    s = SHAPE
    head, heads, groups = s["head_dim"], s["num_attention_heads"], s["num_key_value_heads"]

    def linear(x, name):
        y = x @ w[name + ".weight"].T
        bias = w.get(name + ".bias")
        return r(y if bias is None or skip and name.endswith(skip) else y + bias)

    def norm(x, weight):
        return r(w[weight] * r(x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)))

    def rope(x):
        turns = np.arange(len(ids))[:, None] / 10000.0 ** (np.arange(0, head, 2) / head)
        cos, sin = (r(np.concatenate([f(turns)] * 2, -1))[:, None, :] for f in (np.cos, np.sin))
        rotated = np.concatenate([-x[..., head // 2:], x[..., :head // 2]], -1)
        return r(r(x * cos) + r(rotated * sin))

    x = w["model.embed_tokens.weight"][ids]
    for layer in range(s["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        normed = norm(x, at + "input_layernorm.weight")
        q, k, v = (linear(normed, at + f"self_attn.{n}_proj").reshape(len(ids), -1, head) for n in "qkv")
        if qwen3:
            q, k = norm(q, at + "self_attn.q_norm.weight"), norm(k, at + "self_attn.k_norm.weight")
        q, k = rope(q), rope(k)
        mixed = np.zeros((len(ids), heads, head))
        for h in range(heads):
            g = h // (heads // groups)
            scores = r(r(q[:, h] @ k[:, g].T) * head ** -0.5)
            scores = np.where(np.tril(np.ones_like(scores)) > 0, scores, -np.inf)
            e = np.exp(scores - scores.max(-1, keepdims=True))
            mixed[:, h] = r(r(e / e.sum(-1, keepdims=True)) @ v[:, g])
        residual = r(x + linear(mixed.reshape(len(ids), -1), at + "self_attn.o_proj"))
        normed = norm(residual, at + "post_attention_layernorm.weight")
        gate, up = linear(normed, at + "mlp.gate_proj"), linear(normed, at + "mlp.up_proj")
        x = r(residual + linear(r(r(gate / (1 + np.exp(-gate))) * up), at + "mlp.down_proj"))
    return linear(norm(x, "model.norm.weight"), "lm_head")[-1]


def greedy(w, r, qwen3, skip=""):
    ids, rows = list(PROMPT), []
    for _ in range(TOKENS):
        rows.append(logits(w, ids, r, qwen3, skip))
        ids.append(int(rows[-1].argmax()))
    return ids[len(PROMPT):], rows


def write(folder, architecture, model_type, w):
    folder.mkdir(exist_ok=True)
    header, data = {}, b""
    for name, values in w.items():
        raw = (values.astype(np.float32).view(np.uint32) >> 16).astype("<u2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(values.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    (folder / "config.json").write_text(json.dumps(dict(architectures=[architecture], model_type=model_type, **SHAPE, max_position_embeddings=256,
        rms_norm_eps=1e-6, rope_theta=10000.0, hidden_act="silu", tie_word_embeddings=False, attention_bias=True, mlp_bias=False, bos_token_id=0,
        eos_token_id=1, torch_dtype="bfloat16"), indent=1) + "\n")


def main(seeds):
    expected = {}
    for (name, architecture), seed in zip((("llama", "LlamaForCausalLM"), ("qwen3", "Qwen3ForCausalLM")), seeds):
        qwen3 = name == "qwen3"
        w = tensors(seed, qwen3)
        exact, exact_rows = greedy(w, lambda x: x, qwen3)
        rounded, rounded_rows = greedy(w, bf16, qwen3)
        margins = [float(np.diff(np.sort(row)[-2:])[0]) for row in exact_rows]
        difference = max(float(abs(a - b).max()) for a, b in zip(exact_rows, rounded_rows)) if exact == rounded else float("inf")
        print(name, seed, exact == rounded, min(margins), difference)
        write(HERE / name, architecture, name, w)
        expected[name] = dict(prompt_ids=PROMPT, greedy_ids=exact, min_top1_margin_f64=round(min(margins), 4), max_abs_bf16_minus_f64=round(difference, 4),
            first_step_logits_f64=[float(f"{v:.7g}") for v in exact_rows[0]], first_step_logits_bf16_pipeline=[float(f"{v:.7g}") for v in rounded_rows[0]],
            greedy_if_output_bias_skipped=greedy(w, lambda x: x, qwen3, "o_proj")[0], greedy_if_query_bias_skipped=greedy(w, lambda x: x, qwen3, "q_proj")[0])
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main([int(seed) for seed in sys.argv[1:]] or [92, 298])
