import type { PlanBuilder } from "./plan.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/** Adds an npm package to what the project depends on; one that it has already keeps its version. */
export function dependOn(plan: PlanBuilder, wanted: string): void {
  const [, name = wanted, version = "latest"] = /^(@?[^@]+)(?:@(.+))?$/.exec(wanted) ?? [];
  plan.edit("package.json", (text) => {
    const manifest = parsed(text);
    const has = (list: unknown) => typeof list === "object" && list !== null && Object.hasOwn(list, name);
    if (has(manifest.dependencies) || has(manifest.devDependencies)) return text;
    const list = { ...(manifest.dependencies as object | undefined), [name]: version };
    const sorted = Object.entries(list).sort(([a], [b]) => a.localeCompare(b, "en"));
    const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
    const changed = `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(sorted) }, null, indent)}\n`;
    return text.includes("\r\n") ? changed.replaceAll("\n", "\r\n") : changed;
  });
  plan.note(`${name} is a dependency now: npm install fetches it`);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as Record<string, unknown>;
  } catch (error) {
    throw new ScaffoldError(
      "bad-package-json",
      `package.json can't be added to: ${(error as Error).message}; nothing was changed`,
      "mend it and run the command again",
    );
  }
}
