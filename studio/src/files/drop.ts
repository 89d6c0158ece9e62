/** Opens files and folders that are dropped onto the page or chosen in a file dialog. */

import { h } from "../elements/dom.ts";
import { StudioError } from "../state/studio-error.ts";
import type { Studio } from "../studio.ts";
import { openFiles, readUserFile, type UserFile } from "./open-files.ts";

const MAX_FILES = 500;

export function acceptDrops(studio: Studio): HTMLElement {
  const dropHint = h(
    "div",
    { class: "veil", hidden: true, "aria-hidden": "true" },
    h("p", {}, "Drop a model, a robot with its meshes, a scenario or a log"),
  );
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    dropHint.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) dropHint.hidden = true;
  });
  addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    dropHint.hidden = true;
    const items = Array.from(event.dataTransfer?.items ?? [], (item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
    openWhenRead(() => readDroppedItems(items), studio);
  });
  return dropHint;
}

/** A button that opens the file dialog. */
export function openFilesButton(studio: Studio, label: string, className = "plain"): HTMLElement {
  const input = h("input", {
    type: "file",
    multiple: true,
    accept:
      ".urdf,.srdf,.xml,.mjcf,.yaml,.yml,.json,.csv,.stl,.obj,.glb,.gltf,.bin,.png,.jpg,.jpeg,.webp,.tif,.tiff,.lbl,.img,.dat",
    hidden: true,
  });
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (files.length > 0) openWhenRead(() => Promise.all(files.map((file) => readUserFile(file))), studio);
  });
  return h("span", {}, h("button", { type: "button", class: className, onclick: () => input.click() }, label), input);
}

function openWhenRead(read: () => Promise<readonly (UserFile | undefined)[]>, studio: Studio): void {
  read()
    .then((files) =>
      openFiles(
        files.filter((file) => file !== undefined),
        studio,
      ),
    )
    .catch((error) => studio.showFailure(error));
}

type DroppedItem = FileSystemEntry | File | null;

async function readDroppedItems(items: readonly DroppedItem[]): Promise<(UserFile | undefined)[]> {
  const files: (UserFile | undefined)[] = [];
  const visit = async (item: DroppedItem, path: string): Promise<void> => {
    if (files.length > MAX_FILES) throw new StudioError(`too many files: drop at most ${MAX_FILES} at once`);
    if (item instanceof File) files.push(await readUserFile(item));
    else if (item?.isFile) files.push(await readUserFile(await fileOf(item as FileSystemFileEntry), path + item.name));
    else if (item?.isDirectory)
      for (const entry of await entriesOf(item as FileSystemDirectoryEntry)) await visit(entry, `${path}${item.name}/`);
  };
  for (const item of items) await visit(item, "");
  return files;
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder. The reader returns them in parts; an empty part is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}
