/** Character references of XML: the five predefined entities, and characters by number. Nothing else is expanded. */

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const REFERENCE = /&(?:#(x[\da-fA-F]{1,6}|\d{1,7})|([\w:.-]{1,50}));/y;

/** @param fail is called with the offset of a reference that is not known */
export function decodeReferences(raw: string, fail: (offset: number, message: string, advice: string) => never): string {
  let from = raw.indexOf("&");
  if (from < 0) return raw;
  const parts = [raw.slice(0, from)];
  while (from >= 0) {
    REFERENCE.lastIndex = from;
    const match = REFERENCE.exec(raw);
    if (match === null) return fail(from, "an & is not followed by a name and ;", "Write &amp; for the character &");
    const [all, number, name] = match;
    const character = number === undefined ? entity(name!) : characterOf(number);
    if (character === undefined)
      return fail(
        from,
        `the reference ${all} is not known`,
        "Only &lt; &gt; &amp; &quot; &apos; and characters by number are read",
      );
    const end = from + all.length;
    from = raw.indexOf("&", end);
    parts.push(character, raw.slice(end, from < 0 ? raw.length : from));
  }
  return parts.join("");
}

const entity = (name: string): string | undefined => (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined);

function characterOf(number: string): string | undefined {
  const code = number.startsWith("x") ? Number.parseInt(number.slice(1), 16) : Number(number);
  const isCharacter =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0x10ffff && (code & 0xfffe) !== 0xfffe);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
