import { goFiles } from "./emit/go.ts";
import { typeScriptFiles } from "./emit/typescript.ts";
import type { FuzzResult } from "./fuzz.ts";
import type { ManifestResult } from "./manifests.ts";

/** Formats the result of a run, with the sources of the differences. */
export function report(seed: number, { compared, files, refused, unstable, differences }: FuzzResult): string {
  const parts = differences.slice(0, 10).map(({ id, options, text, api }) => {
    const sources = [...typeScriptFiles(api), ...goFiles(api)].map(([path, source]) => `--- ${path}\n${source}`);
    const again = `--seed ${seed} --from ${id.slice(1)} --cases 1`;
    return `\n=== ${id} (${again}), ${options}\n${text}\n${sources.length < 12 ? sources.join("\n") : ""}`;
  });
  const others = differences.slice(10).map((difference) => difference.id);
  if (others.length > 0) parts.push(`\nand ${others.join(" ")}`);
  const summary =
    `seed ${seed}: ${compared} APIs, ${files} CRDs, ${differences.length} differences, ${refused} refused by both, ` +
    `${unstable.length} on which the reference disagrees with itself`;
  return `${parts.join("\n")}\n${summary}\n`;
}

/** Formats the result for roles or webhooks. */
export function reportManifests(what: string, { compared, undecided, differences }: ManifestResult): string {
  const shown = differences.slice(0, 5).map((difference) => `\n${difference}\n`);
  return `${shown.join("")}${compared} ${what}, ${differences.length} differences, ${undecided} undecided by the reference\n`;
}
