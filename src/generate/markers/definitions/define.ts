import type {
  ArgumentType,
  MarkerDefinition,
  MarkerField,
  MarkerForm,
  MarkerTarget,
  OwnParser,
} from "../model/definition.ts";
import type { MarkerEffects } from "../model/effects.ts";
import type { MarkerValue } from "../model/marker-value.ts";
import { scalars } from "../model/words.ts";

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

/** The named arguments of an entry. */
type FieldEntries = Readonly<Record<string, FieldEntry>>;

/** Another name of a marker. Absent properties are those of the marker. */
export interface AliasEntry {
  readonly name: string;
  readonly targets?: readonly MarkerTarget[];
  readonly summary?: string;
  readonly details?: string;
  /** Replaced by the marker's own name. */
  readonly deprecated?: true;
  readonly forItems?: true;
  /** Whether `#` starts a comment. */
  readonly hasComments?: true;
}

/** One marker or option, with all of its names, targets and effects. */
export interface MarkerEntry<
  Name extends string = string,
  Type extends TypeName = TypeName,
  Fields extends FieldEntries = FieldEntries,
> extends MarkerEffects<ArgumentsOf<Type, Fields>> {
  readonly name: Name;
  readonly aliases?: readonly AliasEntry[];
  readonly targets: readonly MarkerTarget[];
  readonly category: string;
  /** Exists in kubewright only, not in controller-gen. */
  readonly extension?: true;
  readonly summary: string;
  readonly details?: string;
  /** The type of the anonymous argument. */
  readonly value?: Type;
  readonly valueOptional?: boolean;
  /** Named arguments, in the order of the help. */
  readonly fields?: Fields;
  readonly ownParser?: OwnParser;
  /** The name of the replacement, or true if there is none. */
  readonly deprecated?: true | string;
  /** Also registered as `kubebuilder:validation:items:<Name>`, for the elements of an array. */
  readonly forItems?: boolean;
}

/** Returns the entry, with the types of its arguments inferred for its effects and {@link EntryArguments}. */
export function marker<
  const Name extends string,
  const Type extends TypeName = never,
  const Fields extends FieldEntries = Record<never, never>,
>(entry: MarkerEntry<Name, Type, Fields>): MarkerEntry<Name, Type, Fields> {
  return entry;
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
 * The value of an anonymous argument, or the named arguments. Absent lists and nullable arguments are null, absent arguments
 * of kubewright's own are undefined, and others have the zero value of their type.
 */
type ArgumentsOf<Type extends TypeName, Fields extends FieldEntries> = [Type] extends [never]
  ? { readonly [Name in keyof Fields]: ArgumentOf<Fields[Name]> }
  : ValueTypes[Type];

/** The arguments of an entry. */
export type EntryArguments<Entry> =
  Entry extends MarkerEntry<string, infer Type, infer Fields> ? ArgumentsOf<Type, Fields> : never;

const VALIDATION = "kubebuilder:validation:";

/** Creates a definition for each name, target and form of each entry. */
export function defineMarkers(entries: readonly MarkerEntry[]): readonly MarkerDefinition[] {
  return entries.flatMap((entry) => {
    const main: Named = { ...entry, schema: schemaEffect(entry), fromSchema: writerOf(entry) };
    return [main, ...(entry.aliases ?? []).map((alias) => renamed(main, alias))]
      .flatMap(formsOf)
      .flatMap((named) => named.targets.map((target) => defineOne(named, target)));
  });
}

/** An entry under one of its names. */
type Named = MarkerEntry & Pick<MarkerDefinition, "hasComments" | "itemsName" | "plainName">;

function renamed(entry: Named, alias: AliasEntry): Named {
  return {
    ...entry,
    ...detailsFor(entry, alias.name),
    forItems: false,
    ...alias,
    synonyms: [],
    fromSchema: undefined,
    fromCrd: undefined,
    deprecated: alias.deprecated && entry.name,
  };
}

/** Returns the entry for values, and the one for the elements of an array. */
function formsOf(entry: Named): Named[] {
  if (!entry.forItems) return [entry];
  const itemsName = entry.name.replace(VALIDATION, `${VALIDATION}items:`);
  const summary = `For each element of the array: ${entry.summary.charAt(0).toLowerCase()}${entry.summary.slice(1)}`;
  return [
    { ...entry, itemsName },
    { ...entry, name: itemsName, plainName: entry.name, synonyms: [], summary, ...detailsFor(entry, itemsName) },
  ];
}

/** Returns the details of a marker under another name, which its examples show. */
function detailsFor({ name, details }: Named, otherName: string): Pick<Named, "details"> {
  return details === undefined ? {} : { details: details.replaceAll(`+${name}`, `+${otherName}`) };
}

/** Returns the effect on a schema: by default, sets the keyword to the value, or to `true` if the marker has none. */
function schemaEffect({ keyword, value: type, check, schema: effect }: MarkerEntry): MarkerDefinition["schema"] {
  if (keyword === undefined || effect) return effect;
  return (schema, value, context) => {
    const message = check?.(schema, value, context);
    if (message !== undefined) return message;
    // Of any value, `false` is one too.
    const isOff = value === false && type !== "any";
    if (value === null || isOff || (value === "" && type === "string")) delete schema[keyword];
    else Object.assign(schema, { [keyword]: type === undefined ? true : value });
    return undefined;
  };
}

/** Returns the function that writes the marker for `--from-crd`: by default, quotes strings and accepts only scalars. */
function writerOf({ keyword, fields, value: type, fromSchema }: MarkerEntry): MarkerDefinition["fromSchema"] {
  if (keyword === undefined || fields || fromSchema) return fromSchema;
  return (value) => {
    const text = type === undefined ? "" : scalars([value]);
    return text === undefined ? undefined : [type === undefined ? "" : `=${text}`];
  };
}

function defineOne(entry: Named, target: MarkerTarget): MarkerDefinition {
  const { aliases: _, targets: __, value: ___, valueOptional: ____, forItems: _____, deprecated, ...shared } = entry;
  return Object.freeze({
    ...shared,
    target,
    form: formOf(entry),
    fields: fieldsOf(entry),
    deprecated: deprecated !== undefined,
    ...(typeof deprecated === "string" ? { replacedBy: deprecated } : {}),
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
