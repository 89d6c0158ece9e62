/** What the page may load: its own files only. Kernels are compiled to WebAssembly, nothing is made of text by eval. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
