/** Cases from a table: each column is the path of a setting, each row a case. Dispersions, if there are any, are drawn as by Monte Carlo. */
import { looksLikeQuantity } from "../../declare/units.ts";
import { type Override, parseOverride } from "../../scenario/override.ts";
import type { Cell, Column } from "../dispersions/kind.ts";
import { designKind, independentNumbers, MAX_CASES } from "./kind.ts";

const MAX_COLUMNS = 1000;

export const list = designKind({
  name: "list",
  about: "Cases from a CSV file: the columns are paths of settings, the rows are cases. Dispersions are drawn in addition.",
  parameters: {
    file: {
      type: "file",
      about: "CSV file in the folder of the campaign or below; the first line has the paths of the settings.",
    },
  },
  create({ file }, context) {
    const rows = readCsv(context.readText(file));
    const [paths = [], ...cases] = rows;
    const note = (message: string, advice?: string): undefined => void context.problem("file", `${file}: ${message}`, advice);
    if (cases.length === 0) return note("has no cases", "The first line has the paths of settings, each other line is a case");
    if (cases.length > MAX_CASES || paths.length > MAX_COLUMNS) return note("is too large");
    const repeated = paths.find((path, i) => paths.indexOf(path) !== i || path === "");
    if (repeated !== undefined)
      return note(`the column ${JSON.stringify(repeated)} is ${repeated === "" ? "without a name" : "given twice"}`);
    const wrong = cases.findIndex((row) => row.length !== paths.length);
    if (wrong >= 0) return note(`line ${wrong + 2} has ${cases[wrong]!.length} entries, the first line has ${paths.length}`);
    const isNumber = paths.map((_, c) => cases.every((row) => isPlainNumber(row[c]!)));
    const columns = paths.map((name, c): Column => ({ name, type: isNumber[c] ? "number" : "text", unit: "" }));
    return {
      kind: "list",
      cases: cases.length,
      canStop: false,
      numbers: independentNumbers(context),
      listed: {
        columns,
        case(index) {
          const row = cases[index]!;
          const overrides = paths.map((path, c): Override => parseEntry(path, row[c]!, `${file}, line ${index + 2}`));
          return { overrides, cells: row.map((text, c): Cell => (isNumber[c] ? Number(text) : text)) };
        },
      },
    };
  },
});

const isPlainNumber = (text: string): boolean => looksLikeQuantity(text) && Number.isFinite(Number(text));

const parseEntry = (path: string, text: string, from: string): Override => ({
  ...parseOverride(`value=${text === "" ? "null" : text}`, from),
  path,
});

/** Rows of CSV text: commas, optional quotes, doubled quotes inside them. Empty lines are left out. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let [row, entry, isQuoted]: [string[], string, boolean] = [[], "", false];
  const endRow = (): void => {
    row.push(entry.trim());
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
    entry = "";
  };
  const content = text.replace(/^\ufeff/, "");
  for (let i = 0; i < content.length; i++) {
    const c = content[i]!;
    if (isQuoted) {
      if (c !== '"') entry += c;
      else if (content[i + 1] === '"') entry += content[++i]!;
      else isQuoted = false;
    } else if (c === '"') isQuoted = true;
    else if (c === ",") {
      row.push(entry.trim());
      entry = "";
    } else if (c === "\n") endRow();
    else if (c !== "\r") entry += c;
  }
  if (entry !== "" || row.length > 0) endRow();
  return rows;
}
