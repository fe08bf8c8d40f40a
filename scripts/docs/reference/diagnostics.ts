import { definitionSections } from "../../../src/diagnostics/definitions/index.ts";

const intro = `---
description: Every diagnostic of scaffold generate by its id, with its severity, its cause and its fix.
outline: 2
---

# Diagnostics

The generator reports these errors and warnings. For examples, see [Find mistakes in markers](../guides/find-mistakes-in-markers.md).

Each diagnostic of \`scaffold generate\` has a position, a stable id in brackets, and usually a hint:

\`\`\`text
api/v1/game-types.ts:12:40: error: the pattern isn't a valid Go regular expression: … [bad-pattern]
\`\`\`

If there are errors, nothing is written. Warnings don't prevent output, unless \`--strict\` treats them as errors. With \`--json\`, the
command prints the diagnostics as data. On a terminal, and with \`--verbose\`, it also prints links to this page.

## Changing the level of a diagnostic

Set the level of an id to \`off\`, \`warning\` or \`error\` in [PROJECT](project-file.md). The command uses the nearest PROJECT file, in the working directory
or one of its parents.

\`\`\`yaml
plugins:
  ts.kubewright.io/v1:
    diagnostics:
      crd-too-big: off
      bad-pattern: warning
\`\`\`

You can't lower the level of a diagnostic with the note *fixed*, because controller-gen reports the same error, or the output would be wrong or missing.

\`--unknown-markers warn\` and \`ignore\` take precedence over the levels in PROJECT for \`unknown-marker\`, \`misplaced-marker\`,
\`unread-marker\`, \`blank-in-marker\` and \`near-miss-marker\`.
`;

/** Returns the text of docs/reference/diagnostics.md. */
export function diagnosticsReference(): string {
  const parts = definitionSections.map(([title, definitions]) =>
    sectionsOf(
      title,
      Object.entries(definitions).map(([id, { severity, adjustable, onlyForKstatus, cause, fix }]) => {
        const level = severity === "error" ? "Error" : "Warning";
        const note = onlyForKstatus
          ? "Warning for kinds in the list `kstatus` of PROJECT, otherwise off"
          : `${level}${adjustable ? "" : ", fixed"}`;
        return [id, `*${note}.* ${cause}`, fix];
      }),
    ),
  );
  return [intro, ...parts].join("\n");
}

/** Returns entries as sections below a heading of level 2. Their ids are anchors, and results of the site's search. */
export function sectionsOf(
  title: string,
  entries: readonly (readonly [id: string, cause: string, fix: string])[],
): string {
  const parts = entries.map(([id, cause, fix]) => `### \`${id}\`\n\n${cause}\n\n**Fix:** ${fix}\n`);
  return `## ${title}\n\n${parts.join("\n")}`;
}
