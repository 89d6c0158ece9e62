/** A scenario with changes as a file: its own text, comments and all, with the model in it and the changes made. */
import { type Document, isMap, isScalar, isSeq, type Node, type ParsedNode, parseDocument } from "yaml";
import { findModelFile, NO_FILES } from "./files.ts";
import { describeScenario, type LoadOptions, loadScenario } from "./load.ts";
import type { Scenario } from "./scenario.ts";

/**
 * The text of a file that needs no other and is the scenario of `text` with the changes: reading it gives the same data, so runs of
 * both are the same to the last bit. @throws ModelError if the scenario with the changes has problems.
 */
export function saveScenario(text: string, source = "scenario", options: LoadOptions = {}): string {
  const scenario = loadScenario(text, source, options);
  const document: Document = parseDocument(withoutSchemaComment(text));
  const root = document.contents;
  if (!isMap(root)) return text; // which no scenario is
  const model = modelNode(scenario, root.get("model"), options);
  if (model !== undefined) root.set("model", model);
  const header = ["castor", "$schema"].flatMap((key) => (root.has(key) ? [[key, root.get(key)]] : []));
  updateNode(root, { ...Object.fromEntries(header), ...describeScenario(scenario) }, document);
  return document.toString({ lineWidth: 130 });
}

/** The comment that tells editors of a schema holds a path from the file's old place. */
const withoutSchemaComment = (text: string): string => text.replace(/^#\s*yaml-language-server:.*\n(#[ \t]*\n)?/m, "");

/** The model file that the text names, for its comments. */
function modelNode(scenario: Scenario, name: unknown, { files = NO_FILES }: LoadOptions): ParsedNode | undefined {
  const named = typeof name === "string" ? findModelFile(name, "model", false, files, []) : undefined;
  const node = named && parseDocument(withoutSchemaComment(named.text)).contents;
  if (!isMap(node) || node.get("name") !== (scenario.document.model as { name?: unknown }).name) return undefined;
  return node as ParsedNode;
}

/** The node with what it says brought to the data; where it says that already it stays as it is, with its comments. */
function updateNode(node: unknown, data: unknown, document: Document): unknown {
  if (isMap(node) && typeof data === "object" && data !== null && !Array.isArray(data)) {
    const fields = data as Readonly<Record<string, unknown>>;
    for (const { key } of [...node.items]) if (!Object.hasOwn(fields, keyText(key))) node.delete(keyText(key));
    for (const [key, value] of Object.entries(fields)) node.set(key, updateNode(node.get(key, true), value, document));
    return node;
  }
  if (isSeq(node) && Array.isArray(data) && node.items.length === data.length) {
    for (const [i, value] of data.entries()) node.items[i] = updateNode(node.items[i], value, document);
    return node;
  }
  if (isScalar(node) && node.value === data) return node;
  const made = document.createNode(data) as Node;
  if (isSeq(made)) made.flow = true;
  if (isScalar(node) && isScalar(made)) Object.assign(made, { comment: node.comment, commentBefore: node.commentBefore });
  return made;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);
