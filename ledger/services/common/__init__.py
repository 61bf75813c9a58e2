"""What several services need: names, texts, reasons, dates, fair shares, and writing once."""
