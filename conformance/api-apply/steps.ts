// Random writes by several managers.
import type { Json, JsonObject } from "@kubewright/cel/json";

/** One write to an object. */
export interface Step {
  op: "create" | "update" | "merge" | "json" | "strategic" | "apply";
  manager: string;
  subresource: "" | "status";
  force: boolean;
  /** Whether to write in the second version of the kind, if it has one. */
  second: boolean;
  /** The object or patch, without name, version and kind. */
  body: Json;
}

/** Random choices. */
export interface Choice {
  below(limit: number): number;
  chance(share: number): boolean;
  of<T>(values: readonly T[]): T;
}

/** @returns choices from a source of numbers from 0 to below 1 */
export function choiceOf(random: () => number): Choice {
  const below = (limit: number) => Math.floor(random() * limit);
  return { below, chance: (share) => random() < share, of: (values) => values[below(values.length)] as never };
}

/** Writes parts of objects of a kind. */
export interface Generator {
  /** Returns an object, of which an apply or update contains each part with this share. */
  object(choice: Choice, share: number): JsonObject;
  /** Returns a merge or strategic patch. */
  patch(choice: Choice): JsonObject;
  /** Returns the operations of a JSON patch. */
  operations(choice: Choice): JsonObject[];
  /** Whether the kind has strategic merge patches. */
  strategic: boolean;
}

const managers = ["one", "two", "three", "kubectl"];

/** @returns a random sequence of writes, which begins with one that creates the object */
export function randomSteps(choice: Choice, generator: Generator, length: number): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < length; i++) {
    const ops: Step["op"][] =
      i === 0 ? ["create", "apply"] : ["update", "merge", "json", "apply", "apply", "apply", "apply"];
    if (i > 0 && generator.strategic) ops.push("strategic", "strategic");
    const op = choice.of(ops);
    const step: Step = {
      op,
      manager: choice.of(managers),
      subresource: i > 0 && choice.chance(0.15) ? "status" : "",
      force: choice.chance(0.4),
      second: choice.chance(0.25),
      body: null,
    };
    if (op === "json") step.body = generator.operations(choice);
    else if (op === "merge" || op === "strategic") step.body = generator.patch(choice);
    else step.body = generator.object(choice, op === "apply" ? 0.35 : 0.6);
    if (op === "update" && choice.chance(0.12)) {
      (step.body as JsonObject).metadata = {
        ...((step.body as JsonObject).metadata as JsonObject),
        managedFields: choice.of<Json>([[], [{}], [{ manager: "x", operation: "Update", apiVersion: "v1" }]]),
      };
    }
    steps.push(step);
  }
  return steps;
}

/** Keys and values. */
export const letters = ["a", "b", "c"];

/** Makes a value with a probability. */
export function some<T>(choice: Choice, share: number, make: () => T): T | undefined {
  return choice.chance(share) ? make() : undefined;
}

/** Drops absent parts. */
export function compact(object: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Chooses some of the values, in either order. */
export function subset(choice: Choice, values: readonly string[]): string[] {
  const chosen = values.filter(() => choice.chance(0.5));
  return choice.chance(0.5) ? chosen.reverse() : chosen;
}

/** Makes a map of strings. */
export function strings(choice: Choice): JsonObject {
  return Object.fromEntries(subset(choice, letters).map((key) => [key, choice.of(["1", "2"])]));
}

/** Makes metadata. */
export function metadata(choice: Choice, share: number): JsonObject {
  return compact({
    labels: some(choice, share, () => strings(choice)),
    annotations: some(choice, share / 2, () => strings(choice)),
    finalizers: some(choice, share / 2, () => subset(choice, ["x.example.com/a", "x.example.com/b"])),
  });
}
