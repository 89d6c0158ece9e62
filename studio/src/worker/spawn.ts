/** Starts a worker from the script of the page itself: from its address, or, where that is a file, from its text. */

/** Only while the script runs for the first time does the document know which one it is. */
const own = typeof document === "undefined" ? undefined : (document.currentScript as HTMLScriptElement | null)?.src;

export function spawnWorker(name: string): Worker {
  if (location.protocol !== "file:") return new Worker(own!, { name });
  const { castorStudio } = globalThis as unknown as { readonly castorStudio: () => void };
  const address = URL.createObjectURL(new Blob([`(${castorStudio})()`], { type: "text/javascript" }));
  const worker = new Worker(address, { name });
  URL.revokeObjectURL(address);
  return worker;
}
