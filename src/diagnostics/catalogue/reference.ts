import { table } from "../reference-table.ts";
import { catalogueSections } from "./index.ts";

const intro = `# Diagnostics

Each finding of \`scaffold generate\` has an id that never changes, a place, and mostly a hint:

\`\`\`text
api/v1/game-types.ts:12:40: error: the pattern is no regular expression of Go: … [bad-pattern]
\`\`\`

An error ends the run before anything is written; warnings don't, unless \`--strict\` makes errors of them all. \`--json\` gives all of
them as data. On a terminal, and with \`--verbose\`, the addresses of their rows on this page follow.

## Switching them

In PROJECT, by id: \`off\`, \`warning\` or \`error\`. The nearest PROJECT above the working directory counts.

\`\`\`yaml
plugins:
  ts.kubewright.io/v1:
    diagnostics:
      crd-too-big: off
      bad-pattern: warning
\`\`\`

Those marked *fixed* stay errors: controller-gen refuses the same, or the document would be wrong or missing without a word.
\`--unknown-markers warn\` and \`ignore\` win over what PROJECT says of \`unknown-marker\`, \`misplaced-marker\`, \`unread-marker\`,
\`blank-in-marker\` and \`near-miss-marker\`.
`;

/** The text of `docs/reference/diagnostics.md`. */
export function diagnosticsReference(): string {
  const sections = catalogueSections.map(([title, entries]) => {
    const rows = Object.entries(entries).map(([id, { severity, adjustable, cause, cure }]) => {
      return [id, `${severity}${adjustable ? "" : ", fixed"}`, cause, cure] as const;
    });
    return `## ${title}\n\n${table(["id", "default", "what is wrong", "what to do"], rows)}`;
  });
  return [intro, ...sections].join("\n");
}
