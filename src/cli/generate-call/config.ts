import { existsSync } from "node:fs";
import { join } from "node:path";
import { type GeneratorConfig, parseOptions } from "../../generate/options/index.ts";
import { manifestsOptions } from "../../scaffold/parts/versions.ts";
import { makefileOptions } from "../../tasks/makefile.ts";
import type { CommandContext } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { withCliErrors } from "../framework/problems.ts";
import type { Terminal } from "../framework/terminal.ts";
import { wayToProject } from "../models/nearest-project.ts";

/** Returns the options of `make manifests`, which `scaffold generate` without options uses inside a project. */
export async function projectOptions(cwd: string, env: CommandContext["env"]): Promise<readonly string[]> {
  const words = await withCliErrors(async () => makefileOptions(cwd, env));
  const options = words.filter((word) => !word.startsWith("-"));
  return options.length > 0 ? options : manifestsOptions.split(" ");
}

const example =
  "for example: npx scaffold generate crd rbac:roleName=manager-role paths=./... output:crd:dir=config/crd/bases";

interface ConfigInput extends Pick<CommandContext, "args" | "cwd" | "env"> {
  readonly globals: Pick<CommandContext["globals"], "json">;
  readonly terminal: Pick<Terminal, "note" | "warn">;
}

/**
 * Parses the generator options, which have controller-gen's grammar.
 *
 * @throws CliError for invalid options
 */
export async function readConfig({ args, cwd, env, globals, terminal }: ConfigInput): Promise<GeneratorConfig> {
  if (args.length === 0 && !existsSync(join(cwd, "PROJECT"))) {
    const way = wayToProject(cwd);
    throw usageError(
      "no generators specified, and no PROJECT file found in this directory",
      way !== undefined
        ? `the project is in a parent directory: ${way}`
        : 'for example: npx scaffold generate crd paths="./api/..." output:crd:dir=config/crd/bases',
    );
  }
  const { config, problems } = parseOptions(args.length === 0 ? await projectOptions(cwd, env) : args);
  const errors = problems.filter((problem) => problem.severity === "error");
  for (const problem of problems) if (problem.severity === "warning") terminal.warn(problem.message);
  if (!config) {
    const hints = errors.flatMap(({ hint }) => hint ?? []);
    throw usageError(errors.map(({ message }) => message).join("; "), hints.join("\n") || example);
  }
  const { generators, output } = config;
  if (globals.json && Object.values(output).some((rule) => rule.kind === "stdout")) {
    throw usageError(
      "output:stdout can't be combined with --json: both write to stdout",
      "write the documents to a directory with output:dir=…",
    );
  }
  for (const name of ["object", "applyconfiguration"] as const) {
    if (generators[name]) terminal.note(`${name} has no effect: plain data needs no generated code`);
  }
  return config;
}
