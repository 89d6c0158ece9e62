/** Starts a worker with the script of the page: by its address, or by its text if the page was opened from a file. */

/** Address of this script. `document.currentScript` is only set while the script runs for the first time. */
const scriptAddress = typeof document === "undefined" ? undefined : (document.currentScript as HTMLScriptElement | null)?.src;

export function spawnWorker(name: string): Worker {
  if (location.protocol !== "file:") return new Worker(scriptAddress!, { name });
  const { castorStudio } = globalThis as unknown as { readonly castorStudio: () => void };
  const address = URL.createObjectURL(new Blob([`(${castorStudio})()`], { type: "text/javascript" }));
  const worker = new Worker(address, { name });
  URL.revokeObjectURL(address);
  return worker;
}
