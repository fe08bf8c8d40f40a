// Compares the responses of two servers.
import { isObject } from "@kubewright/cel/json";
import type { Answer, Scenario, Step, Transcript } from "./row.ts";

/** A value that differs. `step` is the index of the step, -1 for the end of the scenario. */
export interface Difference {
  readonly step: number;
  readonly path: string;
  readonly values: readonly [Answer, Answer];
  /** Whether only the text of a message differs. */
  readonly isMessage: boolean;
}

export interface Comparison {
  readonly verdict: "same" | "message only" | "different";
  readonly differences: readonly Difference[];
}

/** The paths of texts for people. */
const messagePath = /(^|\.)(message|stderr|warnings\[\d+\])$|^body$/;

/** Compares two normalized transcripts. */
export function compare(one: Transcript, other: Transcript): Comparison {
  const differences: Difference[] = [];
  if (one.broken !== other.broken) {
    differences.push({ step: -1, path: "broken", values: [one.broken, other.broken], isMessage: false });
  }
  const steps = Math.max(one.results.length, other.results.length);
  for (let step = 0; step < steps; step++) {
    differences.push(...valueDifferences([one.results[step], other.results[step]], "", step));
  }
  if (differences.length === 0) return { verdict: "same", differences };
  return { verdict: differences.every(({ isMessage }) => isMessage) ? "message only" : "different", differences };
}

function* valueDifferences(values: readonly [Answer, Answer], path: string, step: number): Generator<Difference> {
  const [first, other] = values;
  // An absent value and null are equal.
  if ((first ?? null) === (other ?? null)) return;
  if (Array.isArray(first) && Array.isArray(other)) {
    for (let index = 0; index < Math.max(first.length, other.length); index++) {
      yield* valueDifferences([first[index], other[index]], `${path}[${index}]`, step);
    }
  } else if (isObject(first) && isObject(other)) {
    for (const key of new Set([...Object.keys(first), ...Object.keys(other)])) {
      yield* valueDifferences([first[key], other[key]], path === "" ? key : `${path}.${key}`, step);
    }
  } else {
    const isMessage = typeof first === "string" && typeof other === "string" && messagePath.test(path);
    yield { step, path, values, isMessage };
  }
}

function short(value: Answer, most: number): string {
  const text = value === undefined ? "(absent)" : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function describeStep(step: Step | undefined): string {
  if (step === undefined) return "";
  const { kubectl, watchEnd, watch, hookCalls, method, path, query = {}, headers, body } = step;
  if (kubectl !== undefined) return `kubectl ${typeof kubectl === "string" ? kubectl : kubectl.join(" ")}`;
  if (watchEnd !== undefined) return `events of watch ${watchEnd}`;
  if (watch !== undefined) return `watch ${path} ${JSON.stringify(query)}`;
  if (hookCalls !== undefined) return `calls of webhook ${hookCalls}`;
  if (method === undefined) return JSON.stringify(step);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const type = headers?.["content-type"]?.replace(/^application\//, "");
  return [
    `${method} ${path}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`,
    ...(type ? [`(${type})`] : []),
    ...(body ? [short(body, 200)] : []),
  ].join(" ");
}

/** Describes the differences of a scenario. `names` are those of the two servers. */
export function report(
  scenario: Scenario,
  { verdict, differences }: Comparison,
  { names = ["real", "engine"], max = 12 }: { names?: readonly [string, string]; max?: number } = {},
): string {
  const lines = [`${verdict.toUpperCase()}  ${scenario.name}`];
  const width = Math.max(...names.map((name) => name.length)) + 1;
  let last: number | undefined;
  for (const { step, path, values } of differences.slice(0, max)) {
    if (step !== last) lines.push(`  step ${step + 1}: ${describeStep(scenario.steps[step])}`);
    last = step;
    const [first, other] = values;
    if (typeof first === "string" && typeof other === "string" && `${first}${other}`.includes("\n")) {
      lines.push(`    ${path}:`, ...differentLines([first, other], names).map((line) => `      ${line}`));
    } else {
      const shown = values.map((value, index) => `      ${`${names[index]}:`.padEnd(width)} ${short(value, 600)}`);
      lines.push(`    ${path || "(answer)"}`, ...shown);
    }
  }
  if (differences.length > max) lines.push(`    … ${differences.length - max} more`);
  return lines.join("\n");
}

function differentLines(texts: readonly [string, string], names: readonly [string, string]): string[] {
  const [first, other] = texts.map((text) => text.split("\n")) as [string[], string[]];
  const lines: string[] = [];
  for (let index = 0; index < Math.max(first.length, other.length) && lines.length < 12; index++) {
    if (first[index] === other[index]) continue;
    const shown = [first, other].map((side, at) => `  ${names[at]}: ${side[index] ?? "(absent)"}`);
    lines.push(`line ${index + 1}`, ...shown);
  }
  return lines;
}
