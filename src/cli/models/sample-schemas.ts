import type { Plan } from "../../scaffold/files/operation.ts";
import type { Tree } from "../../scaffold/files/tree.ts";
import { makefileOptions } from "../../tasks/makefile.ts";
import type { CommandContext } from "../framework/command.ts";

/** Adds modelines to the samples that a plan creates, if `make manifests` generates JSON Schemas. */
export async function samplesWithModelines<P extends Plan>(
  { cwd, env }: Pick<CommandContext, "cwd" | "env">,
  plan: P,
  tree: Tree,
): Promise<P> {
  const options = optionsOf(cwd, env);
  // Most projects don't generate them, and the parser of options takes time to load.
  if (!options.some((option) => /^jsonschema\b/.test(option))) return plan;
  const { parseOptions } = await import("../../generate/options/index.ts");
  const { schemaDirectory, withModelines } = await import("./modelines.ts");
  const { config } = parseOptions(options.filter((option) => !option.startsWith("-")));
  return config === undefined ? plan : withModelines(plan, tree, schemaDirectory(config));
}

/** Returns the options of `make manifests`; none if they can't be read, which that command reports. */
function optionsOf(cwd: string, env: CommandContext["env"]): readonly string[] {
  try {
    return makefileOptions(cwd, env);
  } catch {
    return [];
  }
}
