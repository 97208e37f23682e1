"""Values to text for people and programs; nothing here reads or decides."""
