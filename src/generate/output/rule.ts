import { join, resolve } from "node:path";

/** Where the files of a generator go. */
export type OutputRule =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "stdout" }
  | { readonly kind: "none" };

/** The rules of a run: one for all, and those of single generators. */
export interface OutputRules {
  readonly default?: OutputRule;
  readonly byGenerator: ReadonlyMap<string, OutputRule>;
}

/** The rule that holds for a generator. Without any rule for all, files go to `config/<generator>`. */
export function ruleFor(generator: string, rules: OutputRules): OutputRule {
  return (
    rules.byGenerator.get(generator) ?? rules.default ?? { kind: "directory", directory: join("config", generator) }
  );
}

/** The absolute path of a generator's file; undefined if the rule writes no files. */
export function pathFor(rule: OutputRule, name: string, cwd: string): string | undefined {
  return rule.kind === "directory" ? resolve(cwd, rule.directory, name) : undefined;
}
