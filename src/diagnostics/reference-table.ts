/** Returns a table for a reference page. The first cell of each row is an id with an anchor. */
export function table(head: readonly string[], rows: readonly (readonly [id: string, ...cells: string[]])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const body = rows.map(([id, ...cells]) => line([`<a id="${id}"></a>\`${id}\``, ...cells.map(escaped)]));
  return `${line(head)}|${"---|".repeat(head.length)}\n${body.join("")}`;
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
