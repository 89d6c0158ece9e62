/** Content security policy of the studio: the page loads only its own files. Kernels are WebAssembly, so eval is not needed. */
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

/** Policy in the HTTP header of the server. */
export const contentPolicy = policy("'self'");
/** Policy inside the page. A page opened from a file starts its worker from a blob. */
export const filePolicy = policy("'self' blob:");
