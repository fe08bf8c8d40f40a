import { readJson } from "../yaml/json.ts";

/** A formatter that commands can run. */
export type FormatterName = "biome" | "prettier";

const packages = { biome: "@biomejs/biome", prettier: "prettier" } as const;

/**
 * Returns the formatter of a project: the one that its script `fmt` or `format` calls. Without such a script, it's the one of its
 * dependencies, or Biome if it has both.
 *
 * @param manifest the text of package.json, or undefined if it doesn't exist
 * @returns undefined if the project has none of these formatters
 */
export function formatterName(manifest: string | undefined): FormatterName | undefined {
  const { scripts, dependencies, devDependencies } = fieldsOf(manifest);
  const calls = [scripts.fmt, scripts.format].filter((call) => typeof call === "string");
  const named = calls.flatMap((call) => /\b(?:biome|prettier)\b/.exec(call)?.[0] ?? []);
  if (calls.length > 0) return named[0] as FormatterName | undefined;
  const names = Object.keys(packages) as FormatterName[];
  return names.find((name) => [dependencies, devDependencies].some((list) => Object.hasOwn(list, packages[name])));
}

/** Returns the npm package of a formatter. */
export function formatterPackage(name: FormatterName): string {
  return packages[name];
}

type Fields = Readonly<Record<"scripts" | "dependencies" | "devDependencies", Readonly<Record<string, unknown>>>>;

function fieldsOf(manifest = "{}"): Fields {
  let value: unknown;
  try {
    value = readJson(manifest);
  } catch {
    // Commands that change the file report its errors.
  }
  const field = (name: keyof Fields) => Object((value as Partial<Fields> | null | undefined)?.[name]);
  return { scripts: field("scripts"), dependencies: field("dependencies"), devDependencies: field("devDependencies") };
}
