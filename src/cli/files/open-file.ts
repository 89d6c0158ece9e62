/** Opens a file or an address with whatever the desktop opens it with. */
import { spawn } from "node:child_process";
import type { Terminal } from "../text/terminal.ts";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // Not `start`, which is a word of the shell: that would take an & in an address for the end of a command.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

export function openFile(path: string, terminal: Pick<Terminal, "remark">): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, path], { detached: true, stdio: "ignore" });
  child.on("error", () => terminal.remark(`cannot open ${path}: there is no ${program} here; open it in a browser`));
  child.unref();
}
