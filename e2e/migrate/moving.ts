// The steps of docs/migrate.md, as its readers take them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isSeq, parse, parseDocument } from "yaml";
import { checkout } from "../lib/scaffold.ts";

/** Fenced blocks of the page in one language, in their order. */
export function blocks(language: "sh" | "yaml"): string[] {
  const page = readFileSync(join(checkout, "docs/migrate.md"), "utf8");
  const fences = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...page.matchAll(fences)].map(([, text = ""]) => text);
}

/** PROJECT with what the page has its readers change by hand, and nothing else. */
export function moved(project: string): string {
  const [layout = "", external = ""] = blocks("yaml");
  const document = parseDocument(project);
  for (const [key, value] of Object.entries(parse(layout))) document.set(key, value);
  const resources = document.get("resources");
  for (const entry of isSeq(resources) ? resources.items : []) {
    if (!isMap(entry) || entry.get("external") !== true) continue;
    for (const [key, value] of Object.entries(parse(external))) entry.set(key, value);
  }
  return document.toString({ lineWidth: 0, indentSeq: false });
}
