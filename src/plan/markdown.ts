import type { PlannedChange } from "@kubewright/runtime/dev";
import type { PlanDocument } from "./document.ts";
import { effectText, fieldText, originTexts, planText, refText, summaryLine } from "./text.ts";

/** The comments of GitHub have at most 65,536 characters. */
const longest = 60_000;
const words = { create: "Create", update: "Update", delete: "Delete" } as const;

/** Formats a plan as Markdown for a comment of at most 60,000 characters. */
export function planMarkdown(plan: PlanDocument): string {
  const head = `## Plan for ${code(plan.context)}\n\n${summaryLine(plan)}\n`;
  const failed = fence(fitting(failures(plan), longest / 2));
  let text = plan.complete ? head : `${head}\n**The plan is incomplete.**\n\n${failed}\n`;
  for (const [index, change] of plan.changes.entries()) {
    const part = changeMarkdown(change);
    const left = plan.changes.length - index;
    if (text.length + part.length > longest - 200) return `${text}\n… and ${left} more changes, which don't fit.\n`;
    text += part;
  }
  const rest = others(plan);
  return text.length + rest.length > longest ? text : text + rest;
}

function changeMarkdown(change: PlannedChange): string {
  const effect = effectText(change);
  const title = `**${words[change.action]}** ${code(refText(change))}${effect === "" ? "" : `, ${effect}`}`;
  const fields = change.action === "create" ? [] : change.fields.map(fieldText);
  const origins = originTexts(change).map((origin) => `by ${origin}`);
  return `\n<details><summary>${summaryOf(title)}</summary>\n\n${fence([...fields, ...origins])}\n</details>\n`;
}

/** Markdown isn't read within a summary. */
function summaryOf(title: string): string {
  return title
    .replace(/\*\*(.+?)\*\*/g, "<b>$1</b>")
    .replace(/`([^`]*)`/g, (_, text) => `<code>${escaped(text)}</code>`);
}

function failures(plan: PlanDocument): string[] {
  const text = planText({ ...plan, changes: [], external: [], later: [], notes: [] });
  return text.split("\n").slice(3, -2);
}

/** Returns the first lines, with at most as many characters. The last one counts those that are left out. */
function fitting(lines: readonly string[], most: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > most;
  });
  return end === -1 ? lines : [...lines.slice(0, end), `… and ${lines.length - end} more lines, which don't fit`];
}

function others(plan: PlanDocument): string {
  const text = planText({ ...plan, changes: [], failed: [] });
  const lines = text.split("\n").slice(2, -2);
  return lines.length === 0 ? "" : `\n${fence(lines)}\n`;
}

function fence(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = "`".repeat(longestRun + 1);
  return `${ticks}diff\n${text}\n${ticks}\n`;
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
