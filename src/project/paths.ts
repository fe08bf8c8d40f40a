import type { Resource } from "./resource.ts";

/** What decides where files lie. */
export interface Layout {
  readonly multigroup: boolean;
}

type Grouped = Pick<Resource, "group" | "apart">;

/** The directory of a group in a multi-group project; the empty group has the name that Kubernetes' own has. */
export function groupDirectory(group: string): string {
  return group === "" ? "core" : group;
}

/** Whether what belongs to a resource says its group: in directories, in names of files and of controllers. */
export function saysGroup(resource: Pick<Resource, "apart">, layout: Layout): boolean {
  return layout.multigroup || resource.apart === true;
}

/** The group's part of a directory: `<group>/`, or nothing. */
export function groupPrefix(resource: Grouped, layout: Layout): string {
  return saysGroup(resource, layout) ? `${groupDirectory(resource.group)}/` : "";
}

/** `api/v1` or `api/<group>/v1`, relative to the project, with `/`. */
export function apiDirectory(resource: Grouped & Pick<Resource, "version">, layout: Layout): string {
  return `api/${groupPrefix(resource, layout)}${resource.version}`;
}

/** The name that a kind's files begin with: lower case, no dashes. */
export function kindFile(kind: string): string {
  return kind.toLowerCase();
}

/** `src/webhook/v1` or `src/webhook/<group>/v1`. */
export function webhookDirectory(resource: Grouped & Pick<Resource, "version">, layout: Layout): string {
  return `src/webhook/${groupPrefix(resource, layout)}${resource.version}`;
}

/** The file with a kind's webhooks. */
export function webhookFile(resource: Grouped & Pick<Resource, "version" | "kind">, layout: Layout): string {
  return `${webhookDirectory(resource, layout)}/${kindFile(resource.kind)}-webhook.ts`;
}

/** The file that converts a version of a kind. */
export function conversionFile(resource: Grouped & Pick<Resource, "version" | "kind">, layout: Layout): string {
  return `${apiDirectory(resource, layout)}/${kindFile(resource.kind)}-conversion.ts`;
}

/** The file with the types of a kind of the project's own. */
export function typesFile(resource: Grouped & Pick<Resource, "version" | "kind">, layout: Layout): string {
  return `${apiDirectory(resource, layout)}/${kindFile(resource.kind)}-types.ts`;
}

/** The patch that makes the API server call the conversion webhook, under `config/crd/patches`. */
export function conversionPatchFile(resource: Grouped & Pick<Resource, "plural">, layout: Layout): string {
  return `webhook_in_${saysGroup(resource, layout) && resource.group !== "" ? `${resource.group}_` : ""}${resource.plural}.yaml`;
}

/** What a file of the project imports a kind from. */
export function kindModule(
  resource: Grouped & Pick<Resource, "version" | "module">,
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
export function rolePrefix(resource: Grouped & Pick<Resource, "kind">, layout: Layout): string {
  return `${saysGroup(resource, layout) && resource.group !== "" ? `${resource.group}_` : ""}${kindFile(resource.kind)}`;
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
