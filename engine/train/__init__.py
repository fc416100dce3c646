"""Training of block drafters and EAGLE heads. Only this package may import torch, and only inside what trains."""
