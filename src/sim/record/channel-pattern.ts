/** Predicate for names that match a pattern in which * stands for any text. */
export function channelPattern(pattern: string): (name: string) => boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return (name) => name === pattern;
  const [first, last, between] = [parts[0]!, parts.at(-1)!, parts.slice(1, -1)];
  return (name) => {
    if (!name.startsWith(first)) return false;
    let end = first.length;
    for (const part of between) {
      const start = name.indexOf(part, end);
      if (start < 0) return false;
      end = start + part.length;
    }
    return name.length - end >= last.length && name.endsWith(last);
  };
}
