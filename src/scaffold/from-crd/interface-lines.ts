/** Returns the lines of an exported interface. */
export function interfaceLines(head: string, members: readonly string[]): string[] {
  if (members.length === 0) return [`export interface ${head} {}`];
  return [`export interface ${head} {`, ...members.map((line) => (line === "" ? "" : `  ${line}`)), "}"];
}
