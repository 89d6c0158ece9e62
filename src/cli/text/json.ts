/** JSON that people can read too: lists of numbers stay on one line. Numbers have all their digits. */
export const toJson = (value: object): string =>
  JSON.stringify(value, null, 2).replace(/\[\n[-+\d.eE,\s]*\]/g, (list) =>
    list.replace(/\s+/g, " ").replace(/^\[ | \]$/g, (end) => end.trim()),
  );
