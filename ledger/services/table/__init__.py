"""Starting and closing sessions, and changes of their seats."""
