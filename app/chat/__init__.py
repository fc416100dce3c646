"""The conversation: transcript, message blocks, composer, sidebar."""
