/** Saves text or pictures as files of the user, through the browser's downloads. */

export function download(name: string, content: Blob | string, type = "text/plain;charset=utf-8"): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name that is valid in every file system. */
export const fileName = (...parts: readonly string[]): string =>
  parts
    .map((part) =>
      part
        .normalize("NFKD")
        .replace(/[^\w.-]+/g, "-")
        .replace(/^[-.]+|-+$/g, ""),
    )
    .filter((part) => part !== "")
    .join("-")
    .toLowerCase()
    .slice(0, 120) || "castor";
