/**
 * Content security policy of the studio: the page loads only its own files. Kernels are WebAssembly, so eval is not needed. A page that was
 * opened from a file starts its worker from a blob.
 */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' blob: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
