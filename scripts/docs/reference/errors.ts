import { errorSections } from "../../../src/diagnostics/errors/index.ts";
import { sectionsOf } from "./diagnostics.ts";

const intro = `---
description: Every error of the scaffold commands by its id, with its cause and its fix.
outline: 2
---

# Errors of the scaffold commands

The \`scaffold\` commands report these errors. For problems in types and markers, which \`make manifests\` reports, see [Diagnostics](diagnostics.md). For errors of a running operator or of an API server, see [Troubleshooting](../troubleshooting.md).

A command that fails prints a one-line error, usually followed by a hint. It has written nothing, unless the error states otherwise. On a
terminal, and with \`--verbose\`, a link to the section on this page follows. With \`--json\`, the id is in \`diagnostics[0].id\`.

These ids have no section:

| Id | Exit code | Meaning |
|---|---|---|
| \`usage\` | 2 | The call is wrong. The \`--help\` of the command explains it. |
| \`interrupted\` | 130 | Ctrl-C or SIGTERM interrupted the command. |
| \`system\` | 1 | The operating system reported an error. The message contains its code. |
| \`internal\` | 1 | This is a bug in kubewright. Please report it. |

[Exit codes](cli.md#exit-codes) describes the others.
`;

/** Returns the text of docs/reference/errors.md. */
export function errorsReference(): string {
  const parts = errorSections.map(([title, errors]) =>
    sectionsOf(
      title,
      Object.entries(errors).map(([id, sentences]) => [id, ...sentences]),
    ),
  );
  return [intro, ...parts].join("\n");
}
