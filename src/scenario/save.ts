/** Saves a changed scenario as a file: the original text with its comments, the model included and the changes applied. */
import { type Document, isMap, isScalar, isSeq, type Node, type ParsedNode, parseDocument } from "yaml";
import { findModelFile, NO_FILES } from "./files.ts";
import { describeScenario, type LoadOptions, loadScenario } from "./load.ts";
import type { Scenario } from "./scenario.ts";

/**
 * The text of a self-contained file for the scenario in `text` with the changes of `options`. Reading it gives the same data, so runs of
 * both are identical bit for bit. @throws ModelError if the changed scenario has problems.
 */
export function saveScenario(text: string, source = "scenario", options: LoadOptions = {}): string {
  const scenario = loadScenario(text, source, options);
  const document: Document = parseDocument(withoutSchemaComment(text));
  const root = document.contents;
  if (!isMap(root)) return text; // cannot happen: every scenario is a map
  const model = modelNode(scenario, root.get("model"), options);
  if (model !== undefined) root.set("model", model);
  const header = ["castor", "$schema"].flatMap((key) => (root.has(key) ? [[key, root.get(key)]] : []));
  updateNode(root, { ...Object.fromEntries(header), ...describeScenario(scenario) }, document);
  return document.toString({ lineWidth: 130 });
}

/** Removes the comment that points editors to a schema: its path is relative to the old location of the file. */
const withoutSchemaComment = (text: string): string => text.replace(/^#\s*yaml-language-server:.*\n(#[ \t]*\n)?/m, "");

/** The YAML node of the model file that the text names, with its comments. */
function modelNode(scenario: Scenario, name: unknown, { files = NO_FILES }: LoadOptions): ParsedNode | undefined {
  const modelFile = typeof name === "string" ? findModelFile(name, "model", false, files, []) : undefined;
  const node = modelFile && parseDocument(withoutSchemaComment(modelFile.text)).contents;
  if (!isMap(node) || node.get("name") !== (scenario.document.model as { name?: unknown }).name) return undefined;
  return node as ParsedNode;
}

/** Changes the node to represent `data`. Parts that already do so stay unchanged and keep their comments. */
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
  const newNode = document.createNode(data) as Node;
  if (isSeq(newNode)) newNode.flow = true;
  if (isScalar(node) && isScalar(newNode)) Object.assign(newNode, { comment: node.comment, commentBefore: node.commentBefore });
  return newNode;
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);
