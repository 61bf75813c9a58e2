"""Code that several services share: writes, names, texts, reasons, dates, stakes and fair division."""
