/** Licence texts of the packages that a build bundles, and a check of NOTICE. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The package that a module belongs to, or undefined for our own modules. */
const packageOf = (module: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll("\\", "/"))?.[1];

function licenceText(root: string, name: string): string {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`${name} ${version}, ${license}`, ...texts].join("\n\n");
}

/** Writes the licence texts to a file of the build. Fails if NOTICE does not list a bundled package. */
export const licenses = (root: string, fileName = "licenses.txt"): Plugin => ({
  name: "castor-licenses",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
    const modules = chunks.flatMap((chunk) =>
      Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
    );
    const names = [...new Set(modules.map(packageOf))].filter((name) => name !== undefined).sort();
    const listed = readFileSync(join(root, "NOTICE"), "utf8");
    const missing = names.filter((name) => !new RegExp(`^${name.replace("/", "\\/")}\\s`, "m").test(listed));
    if (missing.length > 0) throw new Error(`NOTICE does not list ${missing.join(", ")}: add name, licence and copyright`);
    const source = `${names.map((name) => licenceText(root, name)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
    this.emitFile({ type: "asset", fileName, source });
  },
});
