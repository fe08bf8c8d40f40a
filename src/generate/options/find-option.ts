import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import { shown } from "../../text/shown.ts";
import type { MarkerDefinition } from "../markers/index.ts";
import { optionRegistry } from "../markers/options.ts";
import { separated } from "../markers/separators.ts";
import type { GeneratorName, OptionProblem } from "./config.ts";
import { isGenerator } from "./read-generators.ts";

/** Finds the definition of an option, and its text with a `+`; if there is none, suggests the nearest name. */
export function findOption(
  option: string,
): { readonly definition: MarkerDefinition; readonly text: string } | { readonly problem: OptionProblem } {
  const text = option.startsWith("+") ? option : `+${option}`;
  const definition = optionRegistry.lookup(text, "option");
  if (definition) return { definition, text };
  const message = `unknown option ${shown(text.slice(1))}`;
  const near = suggestion(text.slice(1));
  return { problem: { severity: "error", message, hint: near && `did you mean \`${near}\`?` } };
}

/** Returns the generators in some options, whether or not their arguments are valid; the first unknown option is a problem. */
export function requestedGenerators(options: readonly string[]): {
  readonly generators: readonly GeneratorName[];
  readonly problem?: OptionProblem;
} {
  const matches = options.map(findOption);
  const problem = matches.flatMap((match) => ("problem" in match ? [match.problem] : []))[0];
  const names = matches.flatMap((match) => ("definition" in match ? [match.definition.name] : []));
  return { generators: [...new Set(names.filter(isGenerator))], ...(problem ? { problem } : {}) };
}

function suggestion(written: string): string | undefined {
  const complete = withArgument(written);
  if (complete !== undefined) return complete;
  const name = written.split("=", 1)[0]!;
  const names = optionRegistry.names("option");
  return didYouMean(name, names) ?? didYouMean(name.replace(/:[^:]*$/, ""), names);
}

/** Returns an option with the missing name or value of its argument: `crd:allowDangerousTypes` lacks the value. */
function withArgument(written: string): string | undefined {
  const [, name = "", argument = ""] = /^([^:=]+):([^:=]+)$/.exec(written) ?? [];
  const definition = optionRegistry.get(name, "option");
  if (!definition) return undefined;
  const isSwitch = definition.fields.some((field) => field.name === argument && field.type.kind === "bool");
  return isSwitch ? `${written}=true` : separated(definition, `+${written}`)?.slice(1);
}
