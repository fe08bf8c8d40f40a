import { pluralize } from "../generate/schema/plural.ts";

/** An API resource of the project: everything that file names and templates are made of. */
export interface Resource {
  /** Without the domain; may be empty. */
  readonly group: string;
  readonly domain: string;
  /** `group.domain`. */
  readonly qualifiedGroup: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Whether the plural is not the one that the kind gives by itself. */
  readonly irregularPlural: boolean;
  readonly namespaced: boolean;
}

export interface ResourceInput {
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly namespaced: boolean;
}

/** The group as the API server knows it. */
export function qualifiedGroup(group: string, domain: string): string {
  return [group, domain].filter((part) => part !== "").join(".");
}

/** The plural that Kubernetes' tools give a kind: `Policy` → `policies`. */
export function regularPlural(kind: string): string {
  return pluralize(kind.toLowerCase());
}

/** Fills in what follows from the names. The names must have been checked. */
export function resource(input: ResourceInput): Resource {
  const regular = regularPlural(input.kind);
  const plural = input.plural ?? regular;
  return Object.freeze({
    group: input.group,
    domain: input.domain,
    qualifiedGroup: qualifiedGroup(input.group, input.domain),
    version: input.version,
    kind: input.kind,
    plural,
    irregularPlural: plural !== regular,
    namespaced: input.namespaced,
  });
}

/** `kinds-that-look-alike` → `KindsThatLookAlike`; dots separate too, as in groups. */
export function pascalCase(name: string): string {
  return name
    .split(/[-_.]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
}
