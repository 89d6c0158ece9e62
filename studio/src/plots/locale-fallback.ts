/** uPlot makes a number format of the browser's language when it is loaded, and fails where that is none, e.g. "en-US@posix". */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en", configurable: true });
}

export {};
