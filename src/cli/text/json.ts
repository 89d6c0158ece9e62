/** Readable JSON: lists of numbers are on one line. Numbers have full precision. */
export const toJson = (value: object): string =>
  JSON.stringify(value, null, 2).replace(/\[\n[-+\d.eE,\s]*\]/g, (list) =>
    list.replace(/\s+/g, " ").replace(/^\[ | \]$/g, (end) => end.trim()),
  );
