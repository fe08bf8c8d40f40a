// Differences between the kinds, fields and operations of two releases, from their OpenAPI documents.

/** The parts of an OpenAPI v2 document that are compared. */
export interface OpenApi {
  readonly definitions: Readonly<Record<string, Definition>>;
  readonly paths: Readonly<Record<string, unknown>>;
}

interface Definition {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

interface Property {
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/**
 * Lists what changed in an API.
 *
 * @param before - the document of the older release
 * @param after - that of the newer release
 * @returns one line per change: paths, types, fields, required fields and the types of fields
 */
export function apiChanges(before: OpenApi, after: OpenApi): string[] {
  const { added, removed, kept } = compareKeys(before.definitions, after.definitions);
  const paths = compareKeys(before.paths, after.paths);
  return [
    ...paths.added.map((path) => `path ${path}: new`),
    ...paths.removed.map((path) => `path ${path}: removed`),
    ...added.map((name) => `type ${shortName(name)}: new`),
    ...removed.map((name) => `type ${shortName(name)}: removed`),
    ...kept.flatMap((name) =>
      typeChanges(before.definitions[name] as Definition, after.definitions[name] as Definition).map(
        (change) => `type ${shortName(name)}: ${change}`,
      ),
    ),
  ];
}

function typeChanges(before: Definition, after: Definition): string[] {
  const { added, removed, kept } = compareKeys(before.properties ?? {}, after.properties ?? {});
  const required = compareKeys(asKeys(before.required), asKeys(after.required));
  const retyped = kept.filter(
    (name) => typeOf(before.properties?.[name] as Property) !== typeOf(after.properties?.[name] as Property),
  );
  return [
    ...added.map((name) => `field ${name} is new`),
    ...removed.map((name) => `field ${name} is removed`),
    ...retyped.map((name) => `field ${name} has another type`),
    ...required.added.map((name) => `${name} is required`),
    ...required.removed.map((name) => `${name} isn't required anymore`),
  ];
}

/** The schema of a field without its texts. */
function typeOf(property: Property): string {
  return JSON.stringify(property, (key, value) => (key === "description" ? undefined : value));
}

function asKeys(names: readonly string[] = []): Record<string, true> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

function compareKeys(
  before: object,
  after: object,
): { added: readonly string[]; removed: readonly string[]; kept: readonly string[] } {
  return {
    added: Object.keys(after).filter((key) => !Object.hasOwn(before, key)),
    removed: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
    kept: Object.keys(after).filter((key) => Object.hasOwn(before, key)),
  };
}

function shortName(name: string): string {
  return name.replace(
    /^io\.k8s\.(api\.|kube-aggregator\.pkg\.apis\.|apiextensions-apiserver\.pkg\.apis\.|apimachinery\.pkg\.)?/,
    "",
  );
}
