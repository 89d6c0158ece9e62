/** Names of a file as names of Castor: unique, without the characters that separate the parts of paths. */

const MAX_LENGTH = 90;
const RESERVED: ReadonlySet<string> = new Set(["world", "gravity", "__proto__", "constructor", "prototype"]);
const UNSAFE = /[./[\]\p{Cc}\p{Zl}\p{Zp}]/gu;
const LONGEST_TITLE = 100;

/** The title of a model: short text on one line. */
export function safeTitle(written: string | undefined, fallback: string): string {
  const title = (written ?? "").replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").slice(0, LONGEST_TITLE);
  return title.trim() === "" ? fallback : title;
}

/** Gives each thing a name that no other one of the same namer has. */
export class Namer {
  private readonly taken = new Set<string>();
  /** Next number to append to a name that is taken. */
  private readonly next = new Map<string, number>();
  /** Names that had to be changed: as written, and as used. */
  readonly changed: (readonly [string, string])[] = [];

  constructor(private readonly others: readonly Namer[] = []) {}

  /** The name for a written one. @param fallback is used if nothing is written. */
  claim(written: string | undefined, fallback: string): string {
    const wanted = (written ?? fallback).replace(UNSAFE, "-").slice(0, MAX_LENGTH);
    const plain = wanted.trim() === "" ? fallback : RESERVED.has(wanted) ? `${wanted}-body` : wanted;
    let name = plain;
    for (let i = this.next.get(plain) ?? 2; this.has(name); i++) {
      name = `${plain}-${i}`;
      this.next.set(plain, i + 1);
    }
    this.taken.add(name);
    if (written !== undefined && name !== written) this.changed.push([written, name]);
    return name;
  }

  has(name: string): boolean {
    return this.taken.has(name) || this.others.some((other) => other.has(name));
  }
}
