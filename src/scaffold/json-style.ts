/** The JSON text of a value, with the indentation and the line breaks of the text that it takes the place of. */
export function printedLike(text: string, value: unknown): string {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const printed = `${JSON.stringify(value, null, indent)}\n`;
  return text.includes("\r\n") ? printed.replaceAll("\n", "\r\n") : printed;
}
