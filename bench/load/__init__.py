"""The open loop: requests come when they come, whether or not the server has answered the last."""
