import { kindProblem } from "../../project/kind-names.ts";
import { groupProblem, pluralProblem, versionProblem } from "../../project/names.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import type { ExternalApi, TargetNames } from "../../project/target.ts";
import type { CommandContext } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { textFlag } from "../framework/flags.ts";
import { refuse } from "../framework/problems.ts";
import { askText } from "../framework/prompts.ts";

/** Reads `--external-api-*` and `--namespaced`: the module and package of an external kind's types, and its scope. */
export function externalApi(options: CommandContext["options"]): ExternalApi {
  return {
    path: textFlag(options, "externalApiPath"),
    domain: textFlag(options, "externalApiDomain"),
    package: textFlag(options, "externalApiModule"),
    ...(options.namespaced === undefined ? {} : { namespaced: options.namespaced === true }),
  };
}

/**
 * Reads and checks `--group --version --kind --plural`, and prompts for missing ones on a terminal.
 *
 * @param words the command's words, for the hint
 * @throws CliError for an invalid value, or a missing one without a terminal
 */
export async function askKind(context: CommandContext, project: Project, words: string): Promise<TargetNames> {
  const { options, terminal, signal } = context;
  const plural = textFlag(options, "plural");
  const rules = {
    group: (value: string) => groupProblem(value, project.domain),
    version: (value: string) =>
      project.resources.some(({ version }) => version === value) ? undefined : versionProblem(value),
    kind: (value: string) => (project.resources.some(({ kind }) => kind === value) ? undefined : kindProblem(value)),
  };
  const given = {
    group: textFlag(options, "group"),
    version: textFlag(options, "version"),
    kind: textFlag(options, "kind"),
  };
  const check = (name: keyof typeof rules) => {
    const value = given[name];
    return value === undefined ? undefined : rules[name](value);
  };
  refuse([check("group"), check("version"), check("kind"), plural === undefined ? undefined : pluralProblem(plural)]);
  const examples = { group: "shop", version: "v1", kind: "Game" };
  const usual = usualNames(project, words);
  const complete = async (name: keyof typeof rules): Promise<string> => {
    const value = given[name];
    if (value !== undefined) return value;
    if (terminal.interactive) {
      return askText(terminal, signal, { message: name, default: usual[name], check: rules[name] });
    }
    throw usageError(
      `--${name} is missing, such as --${name} ${examples[name]}`,
      `run scaffold ${words} --help for all flags`,
    );
  };
  return { group: await complete("group"), version: await complete("version"), kind: await complete("kind"), plural };
}

/** Returns defaults for the prompts from PROJECT: its group, and its kind if there is only one. */
function usualNames(project: Project, words: string): Partial<Pick<TargetNames, "group" | "version" | "kind">> {
  const [only, another] = project.resources;
  if (words !== "create api" && only !== undefined && another === undefined) {
    return { group: only.group ?? "", version: only.version, kind: only.kind };
  }
  const own = project.resources.map(modelOf).filter(({ origin }) => origin === "own");
  const groups = [...new Set(own.map(({ group }) => group))];
  return { ...(groups.length === 1 ? { group: groups[0] } : {}), version: "v1" };
}
