import { groupDirectory } from "../project/paths.ts";
import { pascalCase } from "../project/resource.ts";
import type { Tree } from "./tree.ts";

/** The manager's entry point, to which commands add controllers and webhooks. */
export const mainFile = "src/main.ts";

/** What main.ts is about to import. */
export interface MainImport {
  /** The name that the module exports. */
  readonly name: string;
  readonly module: string;
  /** What main.ts would call it. */
  readonly wanted: string;
  /** The text of a main.ts whose names are kept, where a project is scaffolded anew. */
  readonly before?: string;
}

/**
 * What main.ts calls something that it imports. In which order the commands came PROJECT doesn't say, and it decides which of
 * two things of one name got the other name: what is imported already keeps what it has.
 */
export function nameInMain(tree: Tree, { name, module, wanted, before }: MainImport): string {
  const text = tree.readText(mainFile) ?? "";
  const known = importedAs(text, name, module) ?? (before === undefined ? undefined : importedAs(before, name, module));
  if (known !== undefined) return known;
  let free = wanted;
  for (let count = 2; new RegExp(`(?<![\\w$.])${free}(?![\\w$])`).test(text); count++) free = `${wanted}${count}`;
  return free;
}

/** A group in front of a name in main.ts: `crew.pay` → `CrewPay`. */
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
  return new RegExp(`^import\\s*\\{([^}]*)\\}\\s*from\\s*["']${module.replace(/[.$]/g, "\\$&")}["']`, "gm");
}
