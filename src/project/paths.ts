import type { Resource } from "./resource.ts";

/** What decides where files lie. */
export interface Layout {
  readonly multigroup: boolean;
}

/** The directory of a group in a multi-group project; the empty group has the name that Kubernetes' own has. */
export function groupDirectory(group: string): string {
  return group === "" ? "core" : group;
}

function groupPrefix(resource: Pick<Resource, "group">, layout: Layout): string {
  return layout.multigroup ? `${groupDirectory(resource.group)}/` : "";
}

/** `api/v1` or `api/<group>/v1`, relative to the project, with `/`. */
export function apiDirectory(resource: Pick<Resource, "group" | "version">, layout: Layout): string {
  return `api/${groupPrefix(resource, layout)}${resource.version}`;
}

/** The name that a kind's files begin with: lower case, no dashes. */
export function kindFile(kind: string): string {
  return kind.toLowerCase();
}

/** `src/webhook/v1` or `src/webhook/<group>/v1`. */
export function webhookDirectory(resource: Pick<Resource, "group" | "version">, layout: Layout): string {
  return `src/webhook/${groupPrefix(resource, layout)}${resource.version}`;
}

/** The file with a kind's webhooks. */
export function webhookFile(resource: Pick<Resource, "group" | "version" | "kind">, layout: Layout): string {
  return `${webhookDirectory(resource, layout)}/${kindFile(resource.kind)}-webhook.ts`;
}

/** The file that converts a version of a kind. */
export function conversionFile(resource: Pick<Resource, "group" | "version" | "kind">, layout: Layout): string {
  return `${apiDirectory(resource, layout)}/${kindFile(resource.kind)}-conversion.ts`;
}

/** The file with the types of a kind of the project's own. */
export function typesFile(resource: Pick<Resource, "group" | "version" | "kind">, layout: Layout): string {
  return `${apiDirectory(resource, layout)}/${kindFile(resource.kind)}-types.ts`;
}

/** The patch that makes the API server call the conversion webhook, under `config/crd/patches`. */
export function conversionPatchFile(resource: Pick<Resource, "group" | "plural">, layout: Layout): string {
  return `webhook_in_${layout.multigroup && resource.group !== "" ? `${resource.group}_` : ""}${resource.plural}.yaml`;
}

/** What a file of the project imports a kind from. */
export function kindModule(
  resource: Pick<Resource, "group" | "version" | "module">,
  layout: Layout,
  importer: string,
): string {
  return resource.module ?? relativeImport(importer, `${apiDirectory(resource, layout)}/index.ts`);
}

/** The sample's file name under `config/samples`. */
export function sampleFile(resource: Pick<Resource, "group" | "version" | "kind">): string {
  return `${[resource.group, resource.version, kindFile(resource.kind)].filter((part) => part !== "").join("_")}.yaml`;
}

/** The CRD's file name under `config/crd/bases`. */
export function crdFile(resource: Pick<Resource, "qualifiedGroup" | "plural">): string {
  return `${resource.qualifiedGroup}_${resource.plural}.yaml`;
}

/** What the helper roles' file names begin with: `game` or, with several groups, `shop_game`. */
export function rolePrefix(resource: Pick<Resource, "group" | "kind">, layout: Layout): string {
  return `${layout.multigroup && resource.group !== "" ? `${resource.group}_` : ""}${kindFile(resource.kind)}`;
}

/** A relative import from one file of the project to another, both with `/`. */
export function relativeImport(from: string, to: string): string {
  const start = from.split("/").slice(0, -1);
  const end = to.split("/");
  let common = 0;
  while (common < start.length && start[common] === end[common]) common++;
  const up = start.slice(common).map(() => "..");
  return [...(up.length > 0 ? up : ["."]), ...end.slice(common)].join("/");
}
