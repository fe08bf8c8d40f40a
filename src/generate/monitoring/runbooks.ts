import { createHash } from "node:crypto";
import type { Alert } from "./alerts.ts";

/** Returns the first version of a runbook, in Markdown. Its last line shows whether the user has changed it. */
export function runbook(alert: Alert): string {
  const text = sections(alert);
  return `${text}\n${lastLine(text)}\n`;
}

/** Whether a runbook is still as it was generated. */
export function isUneditedRunbook(text: string): boolean {
  const [whole = "", content = ""] = /^([\s\S]*)\n<!-- generated: [0-9a-f]+ -->\n$/.exec(text) ?? [];
  return whole !== "" && whole.endsWith(`\n${lastLine(content)}\n`);
}

function lastLine(content: string): string {
  return `<!-- generated: ${createHash("sha256").update(content).digest("hex").slice(0, 16)} -->`;
}

function sections({ name, description, expr, runbook }: Alert): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${item}\n`).join("");
  return `# ${name}

## Meaning

${description.replace(/\{\{ \$labels\.(\w+) \}\}/g, "`$1`")}

\`\`\`promql
${expr}
\`\`\`

## Impact

${runbook.impact}

## Diagnosis

${list(runbook.diagnosis)}
## Mitigation

${list(runbook.mitigation)}`;
}
