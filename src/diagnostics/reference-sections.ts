/** A part of a reference page: its id is the heading, which is also the anchor and a result of the site's search. */
export interface ReferenceEntry {
  readonly id: string;
  /** Words after the id in the first line, such as the severity. */
  readonly note?: string;
  readonly cause: string;
  readonly fix: string;
}

/** Returns the entries as sections below a heading of level 2. */
export function sections(title: string, entries: readonly ReferenceEntry[]): string {
  const parts = entries.map(({ id, note, cause, fix }) => {
    const first = note === undefined ? cause : `*${note}.* ${cause}`;
    return `### \`${id}\`\n\n${first}\n\n**Fix:** ${fix}\n`;
  });
  return `## ${title}\n\n${parts.join("\n")}`;
}
