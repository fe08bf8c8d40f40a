import { pluralize } from "../generate/schema/plural.ts";
import { coreGroup } from "./core-groups.ts";

/** Where a kind's types come from: the project, Kubernetes, or somebody else's package. */
export type Origin = "own" | "core" | "external";

/** An API resource that the project works with: everything that file names and templates are made of. */
export interface Resource {
  /** As `--group` names it: without the domain; may be empty, and is `core` for the core group of Kubernetes. */
  readonly group: string;
  readonly domain: string;
  /** The group as the API server knows it: `group.domain`, and `""` for the core group. */
  readonly qualifiedGroup: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Whether the plural is not the one that the kind gives by itself. */
  readonly irregularPlural: boolean;
  readonly namespaced: boolean;
  readonly origin: Origin;
  /** The module that exports the types of a kind that is not the project's own. */
  readonly module?: string;
  /** Whether it has directories of its group in a project that has none for groups: a foreign group beside the project's own. */
  readonly apart?: boolean;
}

export interface ResourceInput {
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly namespaced: boolean;
  /** `own` where nothing is said. */
  readonly origin?: Origin;
  /** For an external kind: the module that exports its types. */
  readonly module?: string;
  /** As in {@link Resource}. */
  readonly apart?: boolean;
}

/** The group as the API server knows it. */
export function qualifiedGroup(group: string, domain: string): string {
  return [group, domain].filter((part) => part !== "").join(".");
}

/** A whole group in the two parts that PROJECT records: one that doesn't end in the project's domain is recorded whole, without one. */
export function groupParts(whole: string, projectDomain: string): { readonly group: string; readonly domain: string } {
  const end = `.${projectDomain}`;
  const own = projectDomain !== "" && whole.endsWith(end);
  return own ? { group: whole.slice(0, -end.length), domain: projectDomain } : { group: whole, domain: "" };
}

/** The plural that the generator gives a kind unless a marker names one, as controller-gen does: `ExampleA` → `exampleas`. */
export function regularPlural(kind: string): string {
  return pluralize(kind);
}

/**
 * The plural that a kind has in PROJECT where none is recorded. kubebuilder makes it of the name in lower case, which is another
 * word at times: `ExampleA` → `examplea`.
 */
export function unrecordedPlural(kind: string): string {
  return pluralize(kind.toLowerCase());
}

/** Fills in what follows from the names. The names must have been checked. */
export function resource(input: ResourceInput): Resource {
  const regular = regularPlural(input.kind);
  const plural = input.plural ?? regular;
  const origin = input.origin ?? "own";
  const nameless = origin === "core" && input.group === "core";
  const module = origin === "core" ? coreModule(input.group, input.version) : input.module;
  return Object.freeze({
    group: input.group,
    domain: input.domain,
    qualifiedGroup: nameless ? "" : qualifiedGroup(input.group, input.domain),
    version: input.version,
    kind: input.kind,
    plural,
    irregularPlural: plural !== regular,
    namespaced: input.namespaced,
    origin,
    ...(module === undefined ? {} : { module }),
    ...(input.apart === true ? { apart: true } : {}),
  });
}

/** The module of the runtime's API with the kinds of one of Kubernetes' own groups. */
function coreModule(group: string, version: string): string {
  return `@kubewright/runtime/api/${coreGroup(group)?.directory ?? group}/${version}`;
}

/** `kinds-that-look-alike` → `KindsThatLookAlike`; dots separate too, as in groups. */
export function pascalCase(name: string): string {
  return name
    .split(/[-_.]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
}

/** `FirstMate` → `firstMate`, `HTTPRoute` → `httpRoute`: a kind's name as that of a value. */
export function camelCase(kind: string): string {
  return kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (head) => head.toLowerCase());
}
