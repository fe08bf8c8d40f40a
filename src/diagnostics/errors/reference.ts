import { sections } from "../reference-sections.ts";
import { errorSections } from "./index.ts";

const intro = `---
description: Every error of the scaffold commands by its id, with its cause and its fix.
outline: 2
---

# Errors of the scaffold commands

This page lists the errors of the \`scaffold\` commands by id.

**When you need it:** a command fails. **Prerequisites:** none.

A command that fails prints one line, usually followed by a hint. It has written nothing, unless the line states otherwise. On a
terminal, and with \`--verbose\`, a link to this page follows. With \`--json\`, the id is in \`diagnostics[0].id\`.

| exit code | meaning |
|---|---|
| 1 | the work failed, or the state of the project doesn't allow it |
| 2 | wrong usage; the id is \`usage\` if the command's \`--help\` explains it |
| 130 | interrupted; the id is \`interrupted\` |

Two more ids have no section below: \`system\` is an error of the operating system, with its error code, and \`internal\` is a bug in
kubewright. For problems that \`scaffold generate\` finds in types and markers, see [Diagnostics](diagnostics.md).
`;

/** Returns the text of `docs/reference/errors.md`. */
export function errorsReference(): string {
  const parts = errorSections.map(([title, entries]) => {
    const rows = Object.entries(entries).map(([id, { cause, fix }]) => ({ id, cause, fix }));
    return sections(title, rows);
  });
  return [intro, ...parts].join("\n");
}
