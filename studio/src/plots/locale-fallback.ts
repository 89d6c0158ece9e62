/** uPlot creates a number format for the browser's language when it is loaded. It fails if that language is invalid, e.g. "en-US@posix". */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en", configurable: true });
}

export {};
