/** Formats a value as JSON, with the indentation and line breaks of the text that it replaces. */
export function printedLike(text: string, value: unknown): string {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const printed = `${JSON.stringify(value, null, indent)}\n`;
  return text.includes("\r\n") ? printed.replaceAll("\n", "\r\n") : printed;
}
