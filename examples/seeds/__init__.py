"""Small files of solved questions in the shapes of published exports, made from the mini world."""
