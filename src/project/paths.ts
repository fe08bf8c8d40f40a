import type { Resource } from "./resource.ts";

/** The setting that determines the paths of files. */
export interface Layout {
  readonly multigroup: boolean;
}

type Grouped = Pick<Resource, "group" | "apart">;
type Typed = Pick<Resource, "group" | "apart" | "foreign">;

/** Returns the name of a group in directories and names. That of the empty group is `core`, as in Kubernetes. */
export function groupDirectory(group: string): string {
  return group === "" ? "core" : group;
}

/** Whether a resource's directories, files and controllers have the group in their names. */
export function hasGroupInNames(resource: Pick<Resource, "apart">, layout: Layout): boolean {
  return layout.multigroup || resource.apart === true;
}

/**
 * Returns the group's part of a directory: `<group>/`, or an empty string. As in kubebuilder, the empty group has no directory,
 * also in multi-group projects. External types in the project always have one, because they can't be next to its own types.
 */
export function groupPrefix(resource: Grouped, layout: Layout): string {
  if (resource.group === "" && resource.apart !== true) return "";
  return hasGroupInNames(resource, layout) ? `${groupDirectory(resource.group)}/` : "";
}

/** Returns the directory that contains the versions of a group's types: `api/`, `api/<group>/` or `api/external/<group>/`. */
export function apiRoot(resource: Typed, layout: Layout): string {
  return `api/${resource.foreign === true ? "external/" : ""}${groupPrefix(resource, layout)}`;
}

/**
 * Returns the directory of a resource's types, relative to the project: `api/v1`, `api/<group>/v1`, or `api/external/<group>/v1` for
 * external kinds.
 */
export function apiDirectory(resource: Typed & Pick<Resource, "version">, layout: Layout): string {
  return `${apiRoot(resource, layout)}${resource.version}`;
}

/** Returns the prefix of a kind's file names: lowercase, without dashes. */
export function kindFile(kind: string): string {
  return kind.toLowerCase();
}

/**
 * Returns the path in PROJECT of an external kind whose types are in the project.
 *
 * @param foreign whether the types are in `api/external/`, unlike those that earlier versions created
 */
export function externalTypesPath(
  repo: string,
  { group = "", version }: { readonly group?: string; readonly version: string },
  foreign: boolean,
): string {
  return `${repo}/${apiDirectory({ group, version, apart: true, foreign }, { multigroup: false })}`;
}

/** Returns the directory of a resource's webhooks: `src/webhook/v1` or `src/webhook/<group>/v1`. */
export function webhookDirectory(resource: Grouped & Pick<Resource, "version">, layout: Layout): string {
  return `src/webhook/${groupPrefix(resource, layout)}${resource.version}`;
}

/** Returns the path of a kind's webhooks. */
export function webhookFile(resource: Grouped & Pick<Resource, "version" | "kind">, layout: Layout): string {
  return `${webhookDirectory(resource, layout)}/${kindFile(resource.kind)}-webhook.ts`;
}

/** Returns the path of the conversion of a kind's version. */
export function conversionFile(resource: Typed & Pick<Resource, "version" | "kind">, layout: Layout): string {
  return `${apiDirectory(resource, layout)}/${kindFile(resource.kind)}-conversion.ts`;
}

/** Returns the path of the types of one of the project's own kinds. */
export function typesFile(resource: Typed & Pick<Resource, "version" | "kind">, layout: Layout): string {
  return `${apiDirectory(resource, layout)}/${kindFile(resource.kind)}-types.ts`;
}

/** Returns the file name, in `config/crd/patches`, of the patch that configures the conversion webhook. */
export function conversionPatchFile(resource: Grouped & Pick<Resource, "plural">, layout: Layout): string {
  return `webhook_in_${hasGroupInNames(resource, layout) && resource.group !== "" ? `${resource.group}_` : ""}${resource.plural}.yaml`;
}

/** Returns the module specifier with which files outside `api/` import a kind. */
export function kindModule(resource: Typed & Pick<Resource, "version" | "module">, layout: Layout): string {
  return resource.module ?? apiImport(`${apiDirectory(resource, layout)}/index.ts`);
}

/** Returns the module specifier of a file in `api/`, which `imports` in package.json resolves. */
export function apiImport(path: string): string {
  return `#${path}`;
}

/** Returns the file name of the sample in `config/samples`. */
export function sampleFile(resource: Pick<Resource, "group" | "version" | "kind">): string {
  return `${[resource.group, resource.version, kindFile(resource.kind)].filter((part) => part !== "").join("_")}.yaml`;
}

/** Returns the name of the object in the sample. */
export function sampleName({ kind }: Pick<Resource, "kind">): string {
  return `${kindFile(kind)}-sample`;
}

/** Returns the path of the sample in the project. */
export function samplePath(resource: Parameters<typeof sampleFile>[0]): string {
  return `config/samples/${sampleFile(resource)}`;
}

/** Returns the file name of the CRD in `config/crd/bases`. */
export function crdFile(resource: Pick<Resource, "qualifiedGroup" | "plural">): string {
  return `${resource.qualifiedGroup}_${resource.plural}.yaml`;
}

/** Returns the prefix of the file names of helper roles: `game` or, with several groups, `shop_game`. */
export function rolePrefix(resource: Grouped & Pick<Resource, "kind">, layout: Layout): string {
  return `${hasGroupInNames(resource, layout) && resource.group !== "" ? `${resource.group}_` : ""}${kindFile(resource.kind)}`;
}

/** Returns the relative import from one file of the project to another. Both paths use `/`. */
export function relativeImport(from: string, to: string): string {
  const start = from.split("/").slice(0, -1);
  const end = to.split("/");
  let common = 0;
  while (common < start.length && start[common] === end[common]) common++;
  const up = start.slice(common).map(() => "..");
  return [...(up.length > 0 ? up : ["."]), ...end.slice(common)].join("/");
}
