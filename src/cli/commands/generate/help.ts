import type { GeneratorName } from "../../../generate/options/index.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { usageError } from "../../errors.ts";
import { cliVersion, versionText } from "../../version.ts";

const examples = `Examples:
  # CRDs of all kinds below api/ to one directory, everything else to stdout
  scaffold generate rbac:roleName=manager-role crd paths="./api/..." output:crd:dir=config/crd/bases output:stdout

  # What make manifests does; without any option it is done for the whole project
  scaffold generate rbac:roleName=manager-role crd webhook paths="./..." output:crd:artifacts:config=config/crd/bases

  # New schemas for CRD files that are there already; the rest of them stays
  scaffold generate schemapatch:manifests=./manifests paths="./api/..." output:dir=./manifests

  # The markers for CRDs, and their arguments
  scaffold generate crd -ww
`;

/**
 * Answers `-h` to `-hhhh` (the options) and `-w` to `-wwww` (the markers of the generators that are named, of all if none
 * is), and `--version` as controller-gen does. Undefined if none of it was asked for.
 */
export async function answerHelp(context: CommandContext): Promise<CommandResult | undefined> {
  const { rawArgs, args, globals, usage } = context;
  if (rawArgs.includes("--version")) return { exitCode: 0, output: versionText(), data: { version: cliVersion() } };
  const [options, markers] = [level(rawArgs, "h", "--detailed-help"), level(rawArgs, "w", "--which-markers")];
  if (options === 0 && markers === 0) return undefined;
  const { helpText, markerHelp, optionHelp } = await import("../../../generate/help/index.ts");
  const help = options > 0 ? optionHelp() : markerHelp(await requested(args));
  if (globals.json) return { exitCode: 0, data: { help } };
  const wanted = options || markers;
  if (wanted >= 4) return { exitCode: 0, output: JSON.stringify(help) };
  const text = helpText(help, wanted as 1 | 2 | 3);
  return { exitCode: 0, output: options > 0 ? `${usage()}\n${examples}\nOptions\n\n${text}` : text };
}

/** How often a flag was given, alone (`-w -w`) or in one word (`-ww`). */
function level(rawArgs: readonly string[], letter: string, long: string): number {
  const letters = rawArgs.filter((word) => /^-[a-z]+$/.test(word)).join("");
  return letters.split(letter).length - 1 + rawArgs.filter((word) => word === long).length;
}

/** The generators that are named. What else is wrong with the options doesn't matter for help. */
async function requested(args: readonly string[]): Promise<readonly GeneratorName[]> {
  const { requestedGenerators } = await import("../../../generate/options/index.ts");
  const { generators, problem } = requestedGenerators(args);
  if (problem) throw usageError(problem.message, problem.hint);
  return generators;
}
