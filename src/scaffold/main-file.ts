import type { Tree } from "./tree.ts";

/** The manager's entry point, to which commands add controllers and webhooks. */
export const mainFile = "src/main.ts";

/** What main.ts calls something of a module that it imports already; undefined where it doesn't. */
export function importedAs(tree: Tree, name: string, module: string): string | undefined {
  const text = tree.readText(mainFile) ?? "";
  for (const [, names = ""] of text.matchAll(importsFrom(module))) {
    const [, alias] = new RegExp(`(?:^|[\\s,])${name}(?:\\s+as\\s+(\\w+))?\\s*(?:,|$)`).exec(names) ?? [];
    if (names.includes(name)) return alias ?? name;
  }
  return undefined;
}

function importsFrom(module: string): RegExp {
  return new RegExp(`^import\\s*\\{([^}]*)\\}\\s*from\\s*["']${module.replace(/[.$]/g, "\\$&")}["']`, "gm");
}
