/** Formats a value as JSON. Integers beyond 2^53 keep their digits. */
export function jsonText(value: unknown): string {
  const integers: string[] = [];
  // No text in a document begins with this character.
  const mark = "\u0000";
  const text = JSON.stringify(
    value,
    (_key, part: unknown) => {
      if (typeof part !== "bigint") return part;
      integers.push(String(part));
      return `${mark}${part}`;
    },
    2,
  );
  return `${integers.length === 0 ? text : text.replace(/"\\u0000(-?[0-9]+)"/g, "$1")}\n`;
}
