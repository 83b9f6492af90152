"""Players over the network: language models behind a chat-completions server, and bots behind HTTP."""
