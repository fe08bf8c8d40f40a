import { shown } from "../../text/shown.ts";
import { fixHint } from "../markers/fix-hints.ts";
import type { MarkerValue } from "../markers/index.ts";
import { parseMarker } from "../markers/parse.ts";
import type { GeneratorConfig, GeneratorName, OptionProblem, OutputRule } from "./config.ts";
import { findOption } from "./find-option.ts";
import { GENERATOR_READERS, isGenerator, readGenerator } from "./read-generators.ts";
import { readOutputRule, splitOutputRule } from "./read-output.ts";

/** The parsed options; `config` is present if, and only if, no problem is an error. */
export interface ParsedOptions {
  readonly config?: GeneratorConfig;
  readonly problems: readonly OptionProblem[];
}

/**
 * Parses options such as `crd:maxDescLen=0`, `rbac:roleName=manager-role`, `paths=./...` or
 * `output:crd:artifacts:config=config/crd/bases`, in any order. They have the grammar of markers; the `+` is optional. Reports
 * all problems at once.
 */
export function parseOptions(options: readonly string[]): ParsedOptions {
  const problems: OptionProblem[] = [];
  const error = (message: string, hint?: string) => problems.push({ severity: "error", message, hint });

  const generators = new Map<GeneratorName, MarkerValue>();
  const rules = new Map<GeneratorName, OutputRule>();
  let defaultRule: OutputRule | undefined;
  const paths: string[] = [];

  for (const option of options) {
    const read = readOption(option);
    problems.push(...read.problems);
    if (!read.known) continue;
    const { name, value } = read.known;
    if (name === "paths") {
      paths.push(...((value ?? []) as readonly string[]));
    } else if (isGenerator(name)) {
      if (generators.has(name)) error(`multiple instances of '${name}' generator specified`);
      generators.set(name, value);
    } else {
      const { generator, rule } = splitOutputRule(name);
      const outputRule = readOutputRule(rule, value);
      if (generator === undefined) defaultRule = outputRule;
      else rules.set(generator as GeneratorName, outputRule);
    }
  }

  for (const name of rules.keys()) {
    if (!generators.has(name)) error(`non-invoked generator ${JSON.stringify(name)}`, `add the option \`${name}\``);
  }
  if (generators.size === 0 && !hasError(problems)) {
    error("no generators specified", `add at least one of ${Object.keys(GENERATOR_READERS).join(", ")}`);
  }

  const read = readGenerators(generators, problems);
  if (hasError(problems)) return { problems };
  const output = Object.fromEntries(
    [...generators.keys()].map((name) => [name, rules.get(name) ?? defaultRule ?? standardRule(name)]),
  );
  return { config: Object.freeze({ paths, generators: read, output }), problems };
}

function readGenerators(
  values: ReadonlyMap<GeneratorName, MarkerValue>,
  problems: OptionProblem[],
): GeneratorConfig["generators"] {
  const read: Partial<Record<GeneratorName, object>> = {};
  for (const [name, value] of values) {
    const result = readGenerator(name, value);
    if ("message" in result) problems.push({ severity: "error", message: result.message });
    else read[name] = result.options;
  }
  return read as GeneratorConfig["generators"];
}

function readOption(option: string): {
  known?: { name: string; value: MarkerValue };
  problems: readonly OptionProblem[];
} {
  const match = findOption(option);
  if ("problem" in match) return { problems: [match.problem] };
  const { definition, text } = match;
  const name = shown(text.slice(1));
  const { value, error, warnings } = parseMarker(definition, text);
  if (error || value === undefined) {
    const message = `unable to parse option ${name}: ${error?.message ?? "no value"}`;
    const hint = error && fixHint(definition, text, error);
    return { problems: [{ severity: "error", message, hint }] };
  }
  return {
    known: { name: definition.name, value },
    problems: warnings.map(({ message, hint }) => ({
      severity: "warning",
      message: `option ${name}: ${message}`,
      hint,
    })),
  };
}

/** The output directories of generators whose files aren't manifests. */
const directories: Partial<Record<GeneratorName, string>> = { jsonschema: "schemas", apidocs: "docs/api" };

/** Returns the default output rule of a generator. */
function standardRule(generator: GeneratorName): OutputRule {
  return { kind: "artifacts", config: directories[generator] ?? `config/${generator}` };
}

function hasError(problems: readonly OptionProblem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
