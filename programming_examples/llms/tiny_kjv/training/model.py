"""A Llama decoder as Hugging Face computes it, in eager attention's order: the shape family of Llama-3.2-1B, small."""

import json
import math
import struct

import torch
import torch.nn.functional as F


def config(tokenizer, vocab_size):
    """config.json: GQA, tied LM head, llama3 rope scaling."""
    return dict(
        architectures=["LlamaForCausalLM"], model_type="llama", vocab_size=vocab_size, hidden_size=192, intermediate_size=512,
        num_hidden_layers=4, num_attention_heads=6, num_key_value_heads=2, head_dim=32, hidden_act="silu", rms_norm_eps=1e-5,
        rope_theta=500000.0,
        rope_scaling=dict(rope_type="llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
                          original_max_position_embeddings=128),
        max_position_embeddings=512, tie_word_embeddings=True, attention_bias=False, mlp_bias=False, initializer_range=0.02,
        torch_dtype="bfloat16", bos_token_id=tokenizer.bos, eos_token_id=tokenizer.eos, use_cache=True)


class Model:

    def __init__(self, config):
        self.config = config
        self.layers, self.heads, self.kv_heads, self.head_dim = (
            config[key] for key in ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"))
        self.frequencies = self._frequencies()

    def initial_weights(self):
        """Fresh parameters by their Hugging Face names. The order of creation decides what each draws from the seed."""
        hidden, inner, weights = self.config["hidden_size"], self.config["intermediate_size"], {}
        into_residual = 0.02 * 3 / math.sqrt(2 * self.layers)

        def normal(name, *shape, std):
            weights[name] = torch.nn.Parameter(torch.randn(*shape) * std)

        def ones(name):
            weights[name] = torch.nn.Parameter(torch.ones(hidden))

        normal("model.embed_tokens.weight", self.config["vocab_size"], hidden, std=0.05)
        for layer in range(self.layers):
            prefix = f"model.layers.{layer}."
            ones(prefix + "input_layernorm.weight")
            ones(prefix + "post_attention_layernorm.weight")
            normal(prefix + "self_attn.q_proj.weight", self.heads * self.head_dim, hidden, std=0.06)
            normal(prefix + "self_attn.k_proj.weight", self.kv_heads * self.head_dim, hidden, std=0.06)
            normal(prefix + "self_attn.v_proj.weight", self.kv_heads * self.head_dim, hidden, std=0.06)
            normal(prefix + "self_attn.o_proj.weight", hidden, self.heads * self.head_dim, std=into_residual)
            normal(prefix + "mlp.gate_proj.weight", inner, hidden, std=0.06)
            normal(prefix + "mlp.up_proj.weight", inner, hidden, std=0.06)
            normal(prefix + "mlp.down_proj.weight", hidden, inner, std=into_residual)
        ones("model.norm.weight")
        return weights

    def logits(self, weights, ids):
        """[batch, positions] ids to [batch, positions, vocab] logits, in the dtype of the weights."""
        batch, positions = ids.shape
        hidden = F.embedding(ids, weights["model.embed_tokens.weight"])
        dtype = hidden.dtype
        angles = torch.outer(torch.arange(positions, dtype=torch.float32), self.frequencies)
        angles = torch.cat([angles, angles], -1)
        cos, sin = angles.cos().to(dtype), angles.sin().to(dtype)
        mask = torch.full((positions, positions), float("-inf")).triu(1).to(dtype)

        def heads(states, count):
            return states.view(batch, positions, count, self.head_dim).transpose(1, 2)

        def shared_by_group(states):
            states = states[:, :, None].expand(batch, self.kv_heads, self.heads // self.kv_heads, positions, self.head_dim)
            return states.reshape(batch, self.heads, positions, self.head_dim)

        for layer in range(self.layers):
            weight = {name: weights[f"model.layers.{layer}.{name}.weight"] for name in LAYER_TENSORS}
            normed = self._norm(hidden, weight["input_layernorm"])
            query = heads(F.linear(normed, weight["self_attn.q_proj"]), self.heads)
            key = heads(F.linear(normed, weight["self_attn.k_proj"]), self.kv_heads)
            value = shared_by_group(heads(F.linear(normed, weight["self_attn.v_proj"]), self.kv_heads))
            query = query * cos + self._rotate_half(query) * sin
            key = shared_by_group(key * cos + self._rotate_half(key) * sin)
            scores = query @ key.transpose(2, 3) / math.sqrt(self.head_dim) + mask
            attended = torch.softmax(scores.float(), -1).to(dtype) @ value
            hidden = hidden + F.linear(attended.transpose(1, 2).reshape(batch, positions, -1), weight["self_attn.o_proj"])
            normed = self._norm(hidden, weight["post_attention_layernorm"])
            gated = F.silu(F.linear(normed, weight["mlp.gate_proj"])) * F.linear(normed, weight["mlp.up_proj"])
            hidden = hidden + F.linear(gated, weight["mlp.down_proj"])
        return F.linear(self._norm(hidden, weights["model.norm.weight"]), weights["model.embed_tokens.weight"])

    def _frequencies(self):
        """Inverse frequencies with llama3 scaling: long waves are slowed down, short ones kept, those between blended."""
        scaling = self.config["rope_scaling"]
        original = scaling["original_max_position_embeddings"]
        plain = 1.0 / (self.config["rope_theta"] ** (torch.arange(0, self.head_dim, 2, dtype=torch.float32) / self.head_dim))
        wavelength = 2 * math.pi / plain
        smooth = (original / wavelength - scaling["low_freq_factor"]) / (scaling["high_freq_factor"] - scaling["low_freq_factor"])
        longest, shortest = original / scaling["low_freq_factor"], original / scaling["high_freq_factor"]
        scaled = torch.where(wavelength > longest, plain / scaling["factor"], plain)
        between = (wavelength <= longest) & (wavelength >= shortest)
        return torch.where(between, (1 - smooth) * plain / scaling["factor"] + smooth * plain, scaled)

    def _norm(self, states, weight):
        """Normalized in fp32, rounded, then scaled."""
        wide = states.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.config["rms_norm_eps"])
        return weight * wide.to(states.dtype)

    def _rotate_half(self, states):
        return torch.cat([-states[..., self.head_dim // 2:], states[..., :self.head_dim // 2]], -1)


LAYER_TENSORS = (
    "input_layernorm", "post_attention_layernorm", "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
    "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj")


def write_safetensors(path, weights):
    """bf16 weights by name, header padded to eight bytes."""
    header, offset, contents = {"__metadata__": {"format": "pt"}}, 0, []
    for name in sorted(weights):
        content = weights[name].contiguous().view(torch.int16).numpy().astype("<i2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(weights[name].shape), "data_offsets": [offset, offset + len(content)]}
        offset += len(content)
        contents.append(content)
    encoded = json.dumps(header, separators=(",", ":")).encode()
    encoded += b" " * (-len(encoded) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(encoded)))
        file.write(encoded)
        file.writelines(contents)
