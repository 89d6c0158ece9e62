/** What the page may load: its own files only. Kernels are compiled to WebAssembly, nothing is made of text by eval. */
const policy = (worker: string): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `worker-src ${worker}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self' blob: data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/** As a server sends it. */
export const contentPolicy = policy("'self'");
/** As the page carries it: opened from a file, it starts its worker from memory. */
export const filePolicy = policy("'self' blob:");
