import { existsSync } from "node:fs";
import { join } from "node:path";
import { type GeneratorConfig, parseOptions } from "../../../generate/options/index.ts";
import type { CommandContext } from "../../command.ts";
import { usageError } from "../../errors.ts";
import { wayToProject } from "../../nearest-project.ts";
import type { Terminal } from "../../terminal.ts";

/** The options of `make manifests`, and of `scaffold generate` without options inside a project. */
export const projectOptions = [
  "rbac:roleName=manager-role",
  "crd",
  "webhook",
  "paths=./...",
  "output:crd:artifacts:config=config/crd/bases",
];

const example =
  "for example: scaffold generate crd rbac:roleName=manager-role paths=./... output:crd:dir=config/crd/bases";

interface ConfigInput extends Pick<CommandContext, "args" | "cwd" | "globals"> {
  readonly terminal: Pick<Terminal, "note" | "warn">;
}

/**
 * Parses the generator options, which have controller-gen's grammar.
 *
 * @throws CliError for invalid options
 */
export async function readConfig({ args, cwd, globals, terminal }: ConfigInput): Promise<GeneratorConfig> {
  if (args.length === 0 && !existsSync(join(cwd, "PROJECT"))) {
    const way = wayToProject(cwd);
    throw usageError(
      "no generators specified, and no PROJECT file found in this directory",
      way !== undefined
        ? `the project is in a parent directory: ${way}`
        : 'for example: scaffold generate crd paths="./api/..." output:crd:dir=config/crd/bases',
    );
  }
  const { config, problems } = parseOptions(args.length === 0 ? projectOptions : args);
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
