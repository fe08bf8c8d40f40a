import type { CategoryHelp } from "../../../generate/help/index.ts";
import type { GeneratorName } from "../../../generate/options/index.ts";
import type { CommandContext, CommandResult } from "../../framework/command.ts";
import { usageError } from "../../framework/errors.ts";
import { cliVersion, versionText } from "../../framework/version.ts";

/** Help on options (`-h`) or markers (`-w`), as controller-gen prints it. */
export interface OptionHelp {
  readonly help: readonly CategoryHelp[];
}

const examples = `Examples:
  # Write the CRDs of all kinds below api/ to a directory, and everything else to stdout
  scaffold generate rbac:roleName=manager-role crd paths="./api/..." output:crd:dir=config/crd/bases output:stdout

  # The same as make manifests, and the default inside a project
  scaffold generate rbac:roleName=manager-role crd webhook paths="./..." output:crd:artifacts:config=config/crd/bases

  # Update only the schemas in existing CRD files
  scaffold generate schemapatch:manifests=./manifests paths="./api/..." output:dir=./manifests

  # Show the markers for CRDs and their arguments
  scaffold generate crd -ww
`;

/**
 * Handles `-h` to `-hhhh` (help on options), `-w` to `-wwww` (help on the markers of the given generators, or of all) and
 * `--version`, as controller-gen does.
 *
 * @returns undefined if none of these flags is set
 */
export async function answerHelp(context: CommandContext): Promise<CommandResult | undefined> {
  const { rawArgs, args, globals, usage } = context;
  if (rawArgs.includes("--version")) return { exitCode: 0, output: versionText(), data: { version: cliVersion() } };
  const [options, markers] = [level(rawArgs, "h", "--detailed-help"), level(rawArgs, "w", "--which-markers")];
  if (options === 0 && markers === 0) return undefined;
  const { helpText, markerHelp, optionHelp } = await import("../../../generate/help/index.ts");
  const help = options > 0 ? optionHelp() : markerHelp(await requested(args));
  if (globals.json) return { exitCode: 0, data: { help } satisfies OptionHelp };
  const wanted = options || markers;
  if (wanted >= 4) return { exitCode: 0, output: JSON.stringify(help) };
  const text = helpText(help, wanted as 1 | 2 | 3);
  return { exitCode: 0, output: options > 0 ? `${usage()}\n${examples}\nOptions\n\n${text}` : text };
}

/** Counts how often a flag was given, alone (`-w -w`) or in one argument (`-ww`). */
function level(rawArgs: readonly string[], letter: string, long: string): number {
  const letters = rawArgs.filter((word) => /^-[a-z]+$/.test(word)).join("");
  return letters.split(letter).length - 1 + rawArgs.filter((word) => word === long).length;
}

/** Returns the given generators. Other problems with the options don't matter for help. */
async function requested(args: readonly string[]): Promise<readonly GeneratorName[]> {
  const { requestedGenerators } = await import("../../../generate/options/index.ts");
  const { generators, problem } = requestedGenerators(args);
  if (problem) throw usageError(problem.message, problem.hint);
  return generators;
}
