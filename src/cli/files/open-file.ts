/** Opens a file or an address with the default program of the desktop. */
import { spawn } from "node:child_process";
import type { Terminal } from "../text/terminal.ts";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // Not `start`, which is a shell command: the shell would treat an & in an address as the end of the command.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

export function openFile(path: string, terminal: Pick<Terminal, "remark">): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, path], { detached: true, stdio: "ignore" });
  child.on("error", () => terminal.remark(`cannot open ${path}: ${program} is not installed. Open it in a browser`));
  child.unref();
}
