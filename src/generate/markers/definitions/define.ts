import type {
  ArgumentType,
  MarkerDefinition,
  MarkerField,
  MarkerForm,
  MarkerTarget,
  OwnParser,
} from "../definition.ts";
import type { MarkerValue } from "../marker-value.ts";

/** The types of arguments, as in the help. */
export type TypeName = "string" | "int" | "int32" | "number" | "bool" | "any" | "raw" | "[]string" | "[]any";

/** One argument of an entry. */
export interface FieldEntry {
  readonly type: TypeName;
  readonly optional?: boolean;
  /** If absent, the value is null instead of the zero value. */
  readonly nullable?: boolean;
  /** Exists in kubewright only, not in controller-gen. */
  readonly extension?: true;
  readonly summary: string;
  readonly details?: string;
}

/** One marker or option, with all of its targets. */
export interface MarkerEntry {
  readonly name: string;
  readonly targets: readonly MarkerTarget[];
  readonly category: string;
  readonly summary: string;
  readonly details?: string;
  /** The type of the anonymous argument. */
  readonly value?: TypeName;
  readonly valueOptional?: boolean;
  /** Named arguments, in the order of the help. */
  readonly fields?: Readonly<Record<string, FieldEntry>>;
  readonly ownParser?: OwnParser;
  /** The name of the replacement, or true if there is none. */
  readonly deprecated?: true | string;
  /** Also registered as `kubebuilder:validation:items:<Name>`, for the elements of an array. */
  readonly forItems?: boolean;
}

/** Returns the entries with the types of their arguments, from which {@link MarkerArguments} are inferred. */
export function markerEntries<const Entries extends readonly MarkerEntry[]>(entries: Entries): Entries {
  return entries;
}

interface ValueTypes {
  string: string;
  int: number | bigint;
  int32: number;
  number: number;
  bool: boolean;
  any: MarkerValue;
  raw: string;
  "[]string": readonly string[] | null;
  "[]any": readonly MarkerValue[] | null;
}

type ArgumentOf<Field extends FieldEntry> =
  | ValueTypes[Field["type"]]
  | (Field extends { readonly nullable: true } ? null : never)
  | (Field extends { readonly extension: true } ? undefined : never);

/**
 * The named arguments of an entry. Absent lists and nullable arguments are null, absent arguments of kubewright's own are
 * undefined, and others have the zero value of their type.
 */
export type EntryArguments<Entry extends MarkerEntry> = Entry extends {
  readonly fields: infer Fields extends Readonly<Record<string, FieldEntry>>;
}
  ? { readonly [Name in keyof Fields]: ArgumentOf<Fields[Name]> }
  : Readonly<Record<never, never>>;

const VALIDATION = "kubebuilder:validation:";

/** Creates a definition for each target and form of each entry. */
export function defineMarkers(entries: readonly MarkerEntry[]): readonly MarkerDefinition[] {
  return entries.flatMap((entry) => {
    const all = entry.forItems ? [entry, itemsEntry(entry)] : [entry];
    return all.flatMap((each) => each.targets.map((target) => defineOne(each, target)));
  });
}

function itemsEntry(entry: MarkerEntry): MarkerEntry {
  return {
    ...entry,
    name: entry.name.replace(VALIDATION, `${VALIDATION}items:`),
    summary: `For each element of the array: ${entry.summary.charAt(0).toLowerCase()}${entry.summary.slice(1)}`,
  };
}

function defineOne(entry: MarkerEntry, target: MarkerTarget): MarkerDefinition {
  return Object.freeze({
    name: entry.name,
    target,
    form: formOf(entry),
    fields: fieldsOf(entry),
    ...(entry.ownParser ? { ownParser: entry.ownParser } : {}),
    category: entry.category,
    summary: entry.summary,
    ...(entry.details === undefined ? {} : { details: entry.details }),
    deprecated: entry.deprecated !== undefined,
    ...(typeof entry.deprecated === "string" ? { replacedBy: entry.deprecated } : {}),
  });
}

function formOf(entry: MarkerEntry): MarkerForm {
  if (entry.value) return "anonymous";
  return entry.fields ? "named" : "empty";
}

function fieldsOf(entry: MarkerEntry): readonly MarkerField[] {
  if (entry.value) {
    const type = argumentType(entry.value);
    return [{ name: "", type, optional: entry.valueOptional ?? false, nullable: false, summary: entry.summary }];
  }
  return Object.entries(entry.fields ?? {}).map(([name, field]) => ({
    name,
    type: argumentType(field.type),
    optional: field.optional ?? false,
    nullable: field.nullable ?? false,
    summary: field.summary,
    ...(field.extension ? { extension: true } : {}),
    ...(field.details === undefined ? {} : { details: field.details }),
  }));
}

function argumentType(name: TypeName): ArgumentType {
  if (name === "[]string") return { kind: "slice", item: { kind: "string" } };
  if (name === "[]any") return { kind: "slice", item: { kind: "any" } };
  return name === "int32" ? { kind: "int", bits: 32 } : { kind: name };
}
