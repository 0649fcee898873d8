"""How far grades agree with what people gave. Pure: the standard library and numpy."""
