"""Training of block drafters. Only this package may import torch, and only inside the modules that train."""
