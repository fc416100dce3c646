"""Models on this machine: `store.ModelStore` is the way in; `catalogue` knows what can be fetched."""
