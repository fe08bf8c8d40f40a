import { groupDirectory } from "../../project/paths.ts";
import { pascalCase } from "../../text/pascal-case.ts";
import type { Tree } from "../files/tree.ts";

/** The manager's entry point, to which commands add controllers and webhooks. */
export const mainFile = "src/main.ts";

/** An import to add to main.ts. */
export interface MainImport {
  /** The name of the export. */
  readonly name: string;
  readonly module: string;
  /** The preferred local name. */
  readonly wanted: string;
  /** The text of a main.ts whose names are kept if the project is scaffolded again. */
  readonly before?: string;
}

/**
 * Returns the local name of an import in main.ts. If two imports have the same name, the order of the commands decides which
 * one is renamed, and PROJECT doesn't record it. Existing imports therefore keep their names.
 */
export function nameInMain(tree: Tree, { name, module, wanted, before }: MainImport): string {
  const text = tree.readText(mainFile) ?? "";
  const imported =
    importedAs(text, name, module) ?? (before === undefined ? undefined : importedAs(before, name, module));
  if (imported !== undefined) return imported;
  let free = wanted;
  for (let count = 2; new RegExp(`(?<![\\w$.])${free}(?![\\w$])`).test(text); count++) free = `${wanted}${count}`;
  return free;
}

/** Converts a group to a prefix for names in main.ts: `crew.pay` → `CrewPay`. */
export function groupInName(group: string): string {
  const name = pascalCase(groupDirectory(group));
  return /^[0-9]/.test(name) ? `Group${name}` : name;
}

function importedAs(text: string, name: string, module: string): string | undefined {
  for (const [, names = ""] of text.matchAll(importsFrom(module))) {
    const [, alias] = new RegExp(`(?:^|[\\s,])${name}(?:\\s+as\\s+(\\w+))?\\s*(?:,|$)`).exec(names) ?? [];
    if (names.includes(name)) return alias ?? name;
  }
  return undefined;
}

function importsFrom(module: string): RegExp {
  return new RegExp(`^import\\s*\\{([^{}]*)\\}\\s*from\\s*["']${module.replace(/[.$]/g, "\\$&")}["']`, "gm");
}
