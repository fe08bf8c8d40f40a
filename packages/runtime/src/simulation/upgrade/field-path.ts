/** A step of a path: the key of a field, the index of an item, or `type=Ready` for a condition. */
export type PathStep = string | number;

const plainKey = /^[A-Za-z_$][\w$-]*$/;
/** A key, a quoted key in brackets, or an index, a selector or `*` in brackets. */
const stepPattern = /\.?([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\]|\[([^\]"]+)\]/y;

/** Formats a path, such as `spec.containers[0].image` or `metadata.labels["example.com/x"]`. */
export function pathText(steps: readonly PathStep[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (step.startsWith("type=")) return `${text}[${step}]`;
    if (!plainKey.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/**
 * Parses a path, in which `*` stands for any key or item. Labels, annotations and finalizers don't need `metadata`.
 *
 * @param text - the path
 * @returns its steps as texts
 * @throws Error if it isn't a path
 */
export function parsePath(text: string): string[] {
  const steps: string[] = [];
  stepPattern.lastIndex = 0;
  while (stepPattern.lastIndex < text.length) {
    const match = stepPattern.exec(text);
    if (!match) throw new Error(`path ${JSON.stringify(text)}: must be like spec.items[0] or labels["example.com/x"]`);
    const [, key, quoted, selector] = match;
    steps.push(key ?? (quoted === undefined ? (selector as string) : JSON.parse(`"${quoted}"`)));
  }
  if (steps.length === 0) throw new Error("path: must not be empty");
  return /^(labels|annotations|finalizers)$/.test(steps[0] as string) ? ["metadata", ...steps] : steps;
}

/** Whether a path is that of a pattern, or within it. */
export function isWithin(steps: readonly PathStep[], pattern: readonly string[]): boolean {
  return (
    steps.length >= pattern.length && pattern.every((part, index) => part === "*" || part === String(steps[index]))
  );
}

/** A field that differs. */
export interface FieldDifference {
  readonly steps: readonly PathStep[];
  readonly before: unknown;
  readonly after: unknown;
}

const unimportant = new Set([
  "managedFields",
  "resourceVersion",
  "creationTimestamp",
  "generation",
  "uid",
  "selfLink",
  "deletionGracePeriodSeconds",
]);

/**
 * Finds the fields that differ between two values. Conditions are compared by their types, and whatever the server sets in the
 * metadata isn't compared.
 *
 * @param before - the old value
 * @param after - the new value
 * @param path - the path of both
 */
export function fieldDifferences(before: unknown, after: unknown, path: readonly PathStep[] = []): FieldDifference[] {
  const list: FieldDifference[] = [];
  compare(path, before, after, list);
  return list;
}

function compare(path: readonly PathStep[], before: unknown, after: unknown, list: FieldDifference[]): void {
  if (Object.is(before, after)) return;
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) {
    list.push({ steps: path, before, after });
    return;
  }
  const [old, now] = [membersOf(path, before), membersOf(path, after)];
  for (const step of new Set([...old.keys(), ...now.keys()])) {
    if (path.length === 1 && path[0] === "metadata" && unimportant.has(String(step))) continue;
    if (path.length === 0 && (step === "kind" || step === "apiVersion")) continue;
    compare([...path, step], old.get(step), now.get(step), list);
  }
}

function membersOf(path: readonly PathStep[], value: object): Map<PathStep, unknown> {
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const isConditions = path.at(-1) === "conditions" && value.every((one) => typeof one?.type === "string");
  return new Map(value.map((item, index) => [isConditions ? `type=${item.type}` : index, item] as const));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
