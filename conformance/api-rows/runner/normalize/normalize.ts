// Replaces everything that may differ between two correct servers, or between two runs, with stable names: first the
// addresses and hashes in the whole text, then, value by value, what the servers choose. README.md lists the names.
import type { Json } from "@kubewright/cel/json";
import type { Step, Transcript } from "../row.ts";
import { type Addresses, replaceAddresses } from "./addresses.ts";
import { collectNames } from "./names.ts";
import { sortKeys } from "./sort-keys.ts";
import { textRules } from "./texts.ts";
import { valueRules } from "./values.ts";

/** The parts of a run that its responses can contain. */
export interface RunContext extends Addresses {
  readonly steps: readonly Step[];
}

/** Returns a transcript with stable names. */
export function normalize({ results, broken }: Transcript, context: RunContext): Transcript {
  const data: Json[] = JSON.parse(replaceAddresses(JSON.stringify(results, sortKeys), context));
  const steps = JSON.stringify(context.steps);
  const prefixes = new Set(steps.match(/(?<="generateName":")[^"]+/g) ?? []);
  const names = collectNames(data, [...prefixes]);
  const text = textRules(names, steps, Date.now());
  const value = valueRules(names, text);
  return { results: data.map((result) => value(result)), ...(broken && { broken: text(broken) }) };
}
