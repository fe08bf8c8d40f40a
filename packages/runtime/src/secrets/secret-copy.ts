/** Keys of values that are public, and that other objects usually contain, too. */
const publicKey =
  /^(?:ca\.crt|tls\.crt|ca-bundle.*|user(?:-?name)?|host(?:-?name)?|port|namespace|database|db-?name|type|region)$/i;

/** A copy of a Secret as YAML or JSON, also within a string. */
const copy = /\b(?:data|stringData)\\*["']?\s*:/;
/** Encoded data, such as a compressed copy. Digests are shorter. */
const encoded = /^[\w+/=-]{100,}$/;

/**
 * Returns the texts of the values of a Secret: as they are stored, decoded, and the lines of long ones, since YAML indents them.
 * Values of public keys are left out.
 */
export function secretTexts(object: object): string[] {
  const { data, stringData } = object as { readonly data?: unknown; readonly stringData?: unknown };
  const texts: string[] = [];
  for (const [values, isEncoded] of [
    [data, true],
    [stringData, false],
  ] as const) {
    if (typeof values !== "object" || values === null) continue;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== "string" || publicKey.test(name)) continue;
      const text = isEncoded ? Buffer.from(value, "base64").toString("utf8") : value;
      const stored = isEncoded ? value : Buffer.from(value).toString("base64");
      const lines = text.includes("\n") ? text.split("\n").map((line) => line.trim()) : [];
      texts.push(stored, text, ...lines.filter((line) => line.length >= 16 && !line.startsWith("-----")));
    }
  }
  return texts.filter((text) => text !== "");
}

/**
 * Returns whether an annotation of a Secret contains a copy of it: one of its values, or the text of a Secret, whose values may be
 * older ones. Tools keep such copies, as kubectl, kapp and Rancher do.
 */
export function isSecretCopy(annotation: unknown, values: readonly string[]): boolean {
  if (typeof annotation !== "string") return true;
  return (
    copy.test(annotation) ||
    encoded.test(annotation) ||
    values.some((value) => value.length >= 4 && annotation.includes(value))
  );
}
