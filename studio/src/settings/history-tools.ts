/** Toolbar of the settings: undo, redo, reset; save as a file; copy the command or a link. */
import { saveScenario } from "castor/scenario";
import { h, iconButton, textButton } from "../elements/dom.ts";
import { download, fileName } from "../files/download.ts";
import { filesOfSource } from "../files/scenario-sources.ts";
import { equivalentCommand, redo, reset, undo } from "../state/changes.ts";
import { addressOfState } from "../state/route.ts";
import type { Studio } from "../studio.ts";

export function historyTools(studio: Studio): HTMLElement {
  const undoButton = iconButton("undo", "Undo (Ctrl+Z)", () => undo(studio), { "aria-keyshortcuts": "Control+Z" });
  const redoButton = iconButton("redo", "Redo (Ctrl+Shift+Z)", () => redo(studio), { "aria-keyshortcuts": "Control+Shift+Z" });
  const resetButton = h("button", { type: "button", class: "plain", onclick: () => reset(studio) }, "Reset");
  resetButton.title = "Remove all changes";
  const status = h("span", { class: "said", role: "status" });
  const showStatus = (text: string): void => {
    status.textContent = text;
    setTimeout(() => {
      if (status.textContent === text) status.textContent = "";
    }, 3000);
  };
  const copyText = async (text: string, done: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      showStatus(done);
    } catch {
      prompt("Copy this text", text); // the browser denies access to the clipboard
    }
  };
  const save = textButton("save", "Save", "Save as a file for castor run", () => saveScenarioFile(studio));
  const command = iconButton(
    "command",
    "Copy the castor run command for this scenario",
    () => void copyText(equivalentCommand(studio.state), "Command copied"),
  );
  const link = textButton("link", "Link", "Copy a link to this scenario with its changes", async () => {
    await copyText(new URL(await addressOfState(studio.state), location.href).href, "Link copied");
  });
  const tools = h(
    "div",
    { class: "history", role: "toolbar", "aria-label": "Changes" },
    undoButton,
    redoButton,
    resetButton,
    h("span", { class: "gap" }),
    status,
    save,
    command,
    link,
  );
  studio.store.watch(["past", "future", "overrides", "source"], ({ past, future, overrides, source }) => {
    undoButton.disabled = past.length === 0;
    redoButton.disabled = future.length === 0;
    resetButton.disabled = overrides.length === 0;
    save.disabled = command.disabled = link.disabled = source === undefined;
  });
  document.addEventListener("keydown", (event) => keyPressed(event, studio));
  return tools;
}

/** Handles undo and redo keys. A text field that is being edited keeps its own undo. */
function keyPressed(event: KeyboardEvent, studio: Studio): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || studio.state.page !== "scenario") return;
  const target = event.target;
  if (target instanceof HTMLInputElement && target.type === "search") return;
  if (target instanceof HTMLInputElement && target.classList.contains("being-written")) return;
  const key = event.key.toLowerCase();
  if (key === "z") event.shiftKey ? redo(studio) : undo(studio);
  else if (key === "y") redo(studio);
  else return;
  event.preventDefault();
}

function saveScenarioFile(studio: Studio): void {
  const { source, overrides, library } = studio.state;
  if (source === undefined) return;
  try {
    const text = saveScenario(source.text, source.path, { files: filesOfSource(source, library), overrides });
    download(`${fileName(source.name.replace(/\.(ya?ml|json)$/i, ""))}.yaml`, text, "application/yaml");
  } catch (error) {
    studio.showFailure(error);
  }
}
