/**
 * The parts of the page are plain scripts, because a page that was opened from a file may load neither modules nor worker scripts. Each script
 * only registers a function; an entry calls what it needs. The functions can be passed to a worker as text.
 */
import type { Plugin, Rolldown } from "vite";

type ScriptChunk = Rolldown.OutputChunk;

/** Runs in the page and in workers; it is written into the scripts as text, so it uses nothing from outside. */
function defineLoader(scope: typeof globalThis & { castorParts?: object; castorStart?: object; castorLoad?: object }): void {
  type Part = (exports: object, require: (name: string) => object, module: { exports: object }) => void;
  const parts = scope.castorParts as Record<string, Part>;
  const modules: Record<string, { exports: object }> = {};
  const require = (name: string): object => {
    const key = name.replace("./", "");
    const known = modules[key];
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules[key] = module;
    parts[key]!(module.exports, require, module);
    return module.exports;
  };
  const loading: Record<string, Promise<void>> = {};
  const loadOne = (name: string): Promise<void> => {
    if (parts[name] !== undefined) return Promise.resolve();
    loading[name] ??= new Promise<void>((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `assets/${name}`;
      script.onload = () => resolve();
      script.onerror = () => {
        delete loading[name];
        reject(new Error(`a part of the page, ${script.src}, cannot be loaded`));
      };
      document.head.append(script);
    });
    return loading[name];
  };
  scope.castorStart ??= require;
  scope.castorLoad ??= (...names: string[]) => Promise.all(names.map(loadOne));
}

/** The parts that must be there before a chunk runs, in this order. */
function partsBefore(chunk: ScriptChunk, chunks: ReadonlyMap<string, ScriptChunk>, seen = new Set<string>()): readonly string[] {
  return chunk.imports.flatMap((name) => {
    if (seen.has(name)) return [];
    seen.add(name);
    return [...partsBefore(chunks.get(name)!, chunks, seen), name];
  });
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);
const text = (value: unknown): string => JSON.stringify(value);

/** Writes each chunk as such a script. `workerEntry` is the name of the entry that workers run. */
export const partScripts = (workerEntry: string): Plugin => ({
  name: "castor-part-scripts",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const outputs = Object.values(bundle);
      const chunks = new Map(outputs.flatMap((output) => (output.type === "chunk" ? [[output.fileName, output] as const] : [])));
      const before = new Map([...chunks].map(([name, chunk]) => [name, partsBefore(chunk, chunks).map(nameOf)]));
      for (const [name, parts] of before)
        if (parts.includes(nameOf(name)))
          this.error(`the part ${name} needs itself: ${parts.join(", ")}. Change the groups of parts`);
      const worker = [...chunks.values()].find(({ isEntry, name }) => isEntry && name === workerEntry)!;
      const byName = new Map([...before].map(([file, parts]) => [nameOf(file), parts]));
      for (const chunk of chunks.values()) {
        const name = nameOf(chunk.fileName);
        // A late part is loaded with all that it needs. What is there already is not loaded again.
        const code = chunk.code.replaceAll(
          /Promise\.resolve\(\)\.then\(\(\)=>((?:[\w$.]+\()?require\([`"']\.\/([^`"']+)[`"']\))/g,
          (_all, call: string, part: string) =>
            `self.castorLoad(${[...(byName.get(part) ?? []), part].map(text).join()}).then(()=>${call}`,
        );
        const registered = `(self.castorParts??={})[${text(name)}]=function(exports,require,module){${code}\n};\n`;
        const loader = chunk.isEntry ? `(self.castorLoader=${defineLoader})(self);\n` : "";
        const isWorker = chunk === worker;
        const start = !chunk.isEntry
          ? ""
          : isWorker
            ? `if(self.document)self.castorWorker=${text({ name, parts: before.get(chunk.fileName) })};else{if(location.protocol!=="blob:")importScripts(${before
                .get(chunk.fileName)!
                .map((part) => text(`./${part}`))
                .join()});self.castorStart(${text(name)})}\n`
            : `self.castorStart(${text(name)});\n`;
        chunk.code = `${registered}${loader}${start}`;
      }
      for (const output of outputs) {
        if (output.fileName !== "index.html" || output.type !== "asset") continue;
        const page = [...chunks.values()].find((chunk) => chunk.isEntry && chunk !== worker)!;
        const scripts = new Set([
          ...before.get(page.fileName)!,
          ...before.get(worker.fileName)!,
          nameOf(worker.fileName),
          nameOf(page.fileName),
        ]);
        const tags = [...scripts].map((name) => `<script defer src="./assets/${name}"></script>`).join("\n    ");
        output.source = String(output.source)
          .replaceAll(/ *<link rel="modulepreload"[^>]*>\n/g, "")
          .replace(/<script type="module"[^>]*><\/script>/, tags)
          .replaceAll(" crossorigin", "");
      }
    },
  },
});
