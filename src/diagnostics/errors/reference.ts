import { table } from "../reference-table.ts";
import { errorSections } from "./index.ts";

const intro = `# Errors of commands

A command that can't do its work ends with one line, and mostly a hint below it. Nothing has been written then, unless the line says so.
On a terminal, and with \`--verbose\`, the address of the error's row on this page follows. With \`--json\` the id is in
\`diagnostics[0].id\`.

| exit code | |
|---|---|
| 1 | the work failed, or the state of the project refuses it |
| 2 | the call is wrong; id \`usage\` where the command's \`--help\` says all there is to say |
| 130 | interrupted; id \`interrupted\` |

Two ids more have no row below: \`system\` is what the operating system refuses, with its own code, and \`internal\` is a bug of ours.
What \`scaffold generate\` finds in types and markers has a reference of its own: [diagnostics](diagnostics.md).
`;

/** The text of `docs/reference/errors.md`. */
export function errorsReference(): string {
  const sections = errorSections.map(([title, entries]) => {
    const rows = Object.entries(entries).map(([id, { cause, cure }]) => [id, cause, cure] as const);
    return `## ${title}\n\n${table(["id", "what is wrong", "what to do"], rows)}`;
  });
  return [intro, ...sections].join("\n");
}
