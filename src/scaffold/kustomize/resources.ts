/**
 * Adds an entry to the resources of a kustomization, or removes it. The other lines are kept.
 *
 * @returns the changed text; the text itself if it has the entry already, or has no list of resources to add it to
 */
export function withResource(text: string, resource: string, on: boolean): string {
  const lines = text.split("\n");
  const isEntry = (line: string) => line.trimEnd() === `- ${resource}`;
  const at = lines.findIndex(isEntry);
  if (!on) return at < 0 ? text : lines.filter((line) => !isEntry(line)).join("\n");
  const list = lines.findIndex((line) => /^resources:[ \t]*$/.test(line.trimEnd()));
  if (at >= 0 || list < 0) return text;
  // Entries can be commented out, with a title above them.
  const last = lines.findIndex((line, index) => index > list && /^- \.\.\/manager\s*$/.test(line));
  lines.splice((last < 0 ? list : last) + 1, 0, `- ${resource}`);
  return lines.join("\n");
}
