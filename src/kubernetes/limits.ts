/** A limit of the values of a schema: a keyword of a CRD, with its marker. */
export interface Limit {
  /** The values that it applies to. */
  readonly on: "number" | "string" | "array" | "object";
  /** The type of the keyword's value. */
  readonly value: "number" | "int" | "bool";
  /** Whether values must be at least, or at most, as large as the limit. */
  readonly bound?: "least" | "most";
  /** The unit in which a size is counted. */
  readonly unit?: "characters" | "elements" | "fields";
  /** The bound that a boolean limit excludes from the values. */
  readonly excludes?: "minimum" | "maximum";
  /** Whether Kubernetes' declarative validation has a marker for it: `+k8s:maximum`. */
  readonly isDeclarative?: true;
  /** Returns how a value violates the limit, for limits without a bound. */
  readonly violation?: (value: number | bigint, limit: number) => string | undefined;
  /** Whether a changed limit rejects values that were valid, for limits without a bound. */
  readonly isStricter?: (before: number | undefined, after: number) => boolean;
  /** The limit's name in messages of controller-gen, if it isn't the lowercase keyword. */
  readonly label?: string;
  readonly summary: string;
  /** A value, for the example in the help. */
  readonly example?: string;
  /** Details for the help of limits without an example. */
  readonly details?: string;
}

/**
 * All limits by keyword, in the order in which the Go type of the API has them. To add a limit, add an entry: the marker
 * with its effect, help and JSDoc tag, `--from-crd`, comparisons of versions, and lints derive from it.
 */
export const limits = {
  maximum: {
    on: "number",
    value: "number",
    bound: "most",
    isDeclarative: true,
    summary: "Sets the maximum value.",
    example: "100",
  },
  exclusiveMaximum: {
    on: "number",
    value: "bool",
    excludes: "maximum",
    summary: "With `true`, values must be less than the maximum.",
  },
  minimum: {
    on: "number",
    value: "number",
    bound: "least",
    isDeclarative: true,
    summary: "Sets the minimum value, which may be negative.",
    example: "-5",
  },
  exclusiveMinimum: {
    on: "number",
    value: "bool",
    excludes: "minimum",
    summary: "With `true`, values must be greater than the minimum.",
  },
  maxLength: {
    on: "string",
    value: "int",
    bound: "most",
    unit: "characters",
    summary: "Sets the maximum length of a string in characters.",
    example: "63",
  },
  minLength: {
    on: "string",
    value: "int",
    bound: "least",
    unit: "characters",
    summary: "Sets the minimum length of a string in characters.",
    example: "1",
  },
  maxItems: {
    on: "array",
    value: "int",
    bound: "most",
    unit: "elements",
    isDeclarative: true,
    label: "maxitem",
    summary: "Sets the maximum number of elements of an array.",
    example: "10",
  },
  minItems: {
    on: "array",
    value: "int",
    bound: "least",
    unit: "elements",
    summary: "Sets the minimum number of elements of an array.",
    example: "1",
  },
  uniqueItems: {
    on: "array",
    value: "bool",
    summary: "Requires the elements of an array to be unique.",
    details: "The API server rejects CRDs with it, because it is slow to check: use `+listType=set`.",
  },
  multipleOf: {
    on: "number",
    value: "number",
    // Remainders of fractions depend on rounding, so only integers are checked.
    violation: (value, step) =>
      Number.isInteger(step) && step > 0 && Number(value) % step !== 0
        ? `${value} isn't a multiple of ${step}`
        : undefined,
    // Multiples of 6 are multiples of 3, but not the reverse.
    isStricter: (before, after) => before === undefined || !Number.isInteger(before / after),
    summary: "Requires values to be integer multiples of this number.",
    example: "8",
  },
  maxProperties: {
    on: "object",
    value: "int",
    bound: "most",
    unit: "fields",
    summary: "Sets the maximum number of properties of an object.",
    example: "16",
  },
  minProperties: {
    on: "object",
    value: "int",
    bound: "least",
    unit: "fields",
    summary: "Sets the minimum number of properties of an object.",
    example: "1",
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitKeyword = keyof typeof limits;

interface LimitValues {
  number: number;
  int: number | bigint;
  bool: boolean;
}

/** The limits of a schema, by keyword. */
export type Limits = { [K in LimitKeyword]?: LimitValues[(typeof limits)[K]["value"]] };

/** All limits with their keywords. */
export const allLimits = Object.entries(limits) as readonly (readonly [LimitKeyword, Limit])[];

/** Returns the name of a limit's marker without its prefix: `maxLength` → `MaxLength`. */
export function limitMarker(keyword: string): string {
  return keyword.charAt(0).toUpperCase() + keyword.slice(1);
}

/** Returns the types of the schemas that a limit applies to. */
export function typesOf({ on }: Limit): readonly string[] {
  return on === "number" ? ["integer", "number"] : [on];
}
