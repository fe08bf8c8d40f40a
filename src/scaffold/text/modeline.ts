// The comment in a sample that sets the JSON Schema for editors.
const start = "# yaml-language-server: $schema=";

/** Returns the schema that the first line of a text sets. */
export function modelineSchema(text: string): string | undefined {
  const [line = ""] = text.split(/\r?\n/, 1);
  return line.startsWith(start) ? line.slice(start.length).trim() : undefined;
}

/** Returns a text whose first line sets a schema, in place of a modeline that is there. */
export function withModeline(text: string, schema: string): string {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  return `${start}${schema}${newline}${withoutModeline(text)}`;
}

/** Returns a text without the modeline in its first line. */
export function withoutModeline(text: string): string {
  return modelineSchema(text) === undefined ? text : text.replace(/^[^\n]*\n/, "");
}
