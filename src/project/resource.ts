import { pluralize } from "../kubernetes/plural.ts";
import { typeName } from "../kubernetes/type-name.ts";
import { coreGroup } from "./core-groups.ts";

/** The source of a kind's types: the project, Kubernetes, or another package. */
export type Origin = "own" | "core" | "external";

/** An API resource of the project, with the values for file names and templates. */
export interface Resource {
  /** The value of `--group`: without the domain, possibly empty, and `core` for the core group of Kubernetes. */
  readonly group: string;
  readonly domain: string;
  /** The full API group: `group.domain`, and `""` for the core group. */
  readonly qualifiedGroup: string;
  readonly version: string;
  readonly kind: string;
  /** The name of the kind's type in TypeScript: the kind itself if a type can have that name. */
  readonly typeName: string;
  readonly plural: string;
  /** Whether the plural differs from the regular plural of the kind. */
  readonly irregularPlural: boolean;
  readonly namespaced: boolean;
  readonly origin: Origin;
  /** The module that exports the types of a built-in or external kind. */
  readonly module?: string;
  /** Whether its group has its own directories although the project is single-group, as foreign and external groups do. */
  readonly apart?: boolean;
  /** Whether its types are in `api/external/`, so that they can be in the same group as own kinds. */
  readonly foreign?: boolean;
}

/** The input of {@link resource}. */
export interface ResourceInput {
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
  readonly namespaced: boolean;
  /** @defaultValue `own` */
  readonly origin?: Origin;
  /** The module that exports the types of an external kind. */
  readonly module?: string;
  /** As in {@link Resource}. */
  readonly apart?: boolean;
  /** As in {@link Resource}. */
  readonly foreign?: boolean;
}

/** Returns the full API group. */
export function qualifiedGroup(group: string, domain: string): string {
  return [group, domain].filter((part) => part !== "").join(".");
}

/**
 * Splits a full API group into the group and domain for PROJECT. If it doesn't end with the project's domain, the domain is empty. If
 * it is the domain, the group is empty.
 */
export function groupParts(whole: string, projectDomain: string): { readonly group: string; readonly domain: string } {
  if (projectDomain !== "" && whole === projectDomain) return { group: "", domain: projectDomain };
  const end = `.${projectDomain}`;
  const own = projectDomain !== "" && whole.endsWith(end);
  return own ? { group: whole.slice(0, -end.length), domain: projectDomain } : { group: whole, domain: "" };
}

/** Returns the plural that the generator uses without a marker, as controller-gen does: `ExampleA` → `exampleas`. */
export function regularPlural(kind: string): string {
  return pluralize(kind);
}

/**
 * Returns the plural of a kind for which PROJECT records none. kubebuilder derives it from the lowercase name, so it may
 * differ: `ExampleA` → `examplea`.
 */
export function unrecordedPlural(kind: string): string {
  return pluralize(kind.toLowerCase());
}

/** Creates a resource from its names, which must be valid. */
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
    typeName: origin === "core" ? input.kind : typeName(input.kind),
    plural,
    irregularPlural: plural !== regular,
    namespaced: input.namespaced,
    origin,
    ...(module === undefined ? {} : { module }),
    ...(input.apart === true ? { apart: true } : {}),
    ...(input.foreign === true ? { foreign: true } : {}),
  });
}

/** Whether the types of a kind are in the project: one of its own, or an external kind that was created from a CRD. */
export function hasTypes({ origin, module }: Pick<Resource, "origin" | "module">): boolean {
  return origin === "own" || (origin === "external" && module === undefined);
}

/** Returns the module of the runtime that exports the kinds of a built-in group. */
function coreModule(group: string, version: string): string {
  return `@kubewright/runtime/api/${coreGroup(group)?.directory ?? group}/${version}`;
}

/** Converts a kind to camelCase: `FirstMate` → `firstMate`, `HTTPRoute` → `httpRoute`. */
export function camelCase(kind: string): string {
  return kind.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+(?![a-z])|^[A-Z]/, (head) => head.toLowerCase());
}
