import { entryHasTypes, sameKind, sameResource } from "../../project/entries.ts";
import { apiDirectory, crdFile, kindFile, rolePrefix, sampleFile, sampleName, typesFile } from "../../project/paths.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { modelOf } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import type { Tree } from "../files/tree.ts";
import type { Scaffold } from "../plan/scaffold.ts";
import type { Templates } from "../templates/templates.ts";
import type { ApiParts } from "./api-model.ts";
import { defaultKustomization } from "./config-options.ts";
import { addController } from "./controller-parts.ts";
import { originLine } from "./origin.ts";
import { copyNewestVersion, type VersionCopy } from "./version-copy.ts";

/** Scaffolds all parts of an API, a controller or both. */
export function scaffoldApi(scaffold: Scaffold, tree: Tree, templates: Templates, parts: ApiParts): void {
  const values = templateValues(parts);
  if (parts.api) {
    const isOwn = parts.resource.origin === "own";
    const copy =
      isOwn && parts.definition === undefined ? copyNewestVersion(tree, parts.project, parts.resource) : undefined;
    addTypes(scaffold, templates, parts, values, copy);
    // The CRD of an external kind belongs to another project.
    if (isOwn) addManifests(scaffold, templates, parts, values, copy);
  }
  if (!parts.controller) return;
  for (const name of parts.controllerNames ?? [kindFile(parts.resource.kind)]) {
    addController({ scaffold, tree, templates }, parts, name);
  }
}

function templateValues({ project, resource, definition, header, kstatus = false }: ApiParts) {
  const { projectName, namespaced } = project;
  const file = kindFile(resource.kind);
  return {
    ...resource,
    header,
    kstatus,
    isExternal: resource.origin === "external",
    projectName,
    namespaced,
    roleKind: namespaced ? "Role" : "ClusterRole",
    apiVersion: `${resource.qualifiedGroup}/${resource.version}`,
    apiPath: apiDirectory(resource, project).slice("api/".length),
    kindFile: file,
    rolePrefix: rolePrefix(resource, project),
    roleName: rolePrefix(resource, project).replaceAll("_", "-"),
    sampleFile: sampleFile(resource),
    sampleOrigin: definition === undefined ? "" : originLine(definition.name),
    sampleName: definition?.sampleName ?? sampleName(resource),
    sampleBody: definition?.sample ?? "spec: {}",
    resourceMarker: resourceMarker(resource),
    isNamespaced: resource.namespaced,
  };
}

/** Returns the marker for properties of the CRD that don't follow from the types. */
function resourceMarker(resource: Resource): string {
  const parts = [
    ...(resource.typeName === resource.kind ? [] : [`kind=${resource.kind}`]),
    ...(resource.irregularPlural ? [`path=${resource.plural}`] : []),
    ...(resource.namespaced ? [] : ["scope=Cluster"]),
  ];
  return parts.length === 0 ? "" : `// +kubebuilder:resource:${parts.join(",")}`;
}

function addTypes(
  scaffold: Scaffold,
  templates: Templates,
  parts: ApiParts,
  values: object,
  copy: VersionCopy | undefined,
): void {
  const { project, resource } = parts;
  const own = typesFile(resource, project);
  for (const { path, content } of templates.render("types", values)) {
    scaffold.file(path, path === own ? (parts.definition?.types ?? copy?.types ?? content) : content, "refuse");
  }
  const ofVersion = project.resources.some(
    (entry) =>
      entryHasTypes(entry) &&
      !sameResource(entry, resource) &&
      apiDirectory(modelOf(entry), project) === apiDirectory(resource, project),
  );
  for (const { path, content } of templates.render("version", values)) scaffold.shared(path, content, ofVersion);
  const types = [`export * from "./${kindFile(resource.kind)}-types.ts";`];
  scaffold.insert(
    `${apiDirectory(resource, project)}/index.ts`,
    { anchor: "types", lines: types },
    { about: typesFile(resource, project) },
  );
}

/** Adds the sample, the helper roles and the entries of a kind in the kustomizations. */
function addManifests(
  scaffold: Scaffold,
  templates: Templates,
  { project, resource, sample }: ApiParts,
  values: object,
  copy: VersionCopy | undefined,
): void {
  for (const { path, content } of templates.render("sample", values)) {
    scaffold.file(path, sample ?? copy?.sample ?? content, "refuse");
  }
  const others = project.resources.filter((entry) => entry.api !== undefined && !sameResource(entry, resource));
  // All versions of a kind share one CRD and one set of roles.
  const otherVersions = others.some((entry) => sameKind(entry, resource));
  for (const { path, content } of templates.render("kind", values)) {
    if (otherVersions) scaffold.shared(path, content, true);
    else scaffold.file(path, content, "refuse");
  }
  for (const { path, content } of templates.render("crd", values)) scaffold.shared(path, content, others.length > 0);
  scaffold.insert(
    "config/crd/kustomization.yaml",
    { anchor: "crdkustomizeresource", lines: [`- bases/${crdFile(resource)}`] },
    { needed: otherVersions },
  );
  scaffold.insert("config/samples/kustomization.yaml", {
    anchor: "manifestskustomizesamples",
    lines: [`- ${sampleFile(resource)}`],
  });
  const roles = ["admin", "editor", "viewer"].map((role) => `${rolePrefix(resource, project)}_${role}_role.yaml`);
  scaffold.append("config/rbac/kustomization.yaml", "resources", roles, otherVersions);
  scaffold.change(defaultKustomization, includeCrds, others.length > 0 ? (text) => text : excludeCrds);
}

/** Uncomments `- ../crd`. It is a comment in a new project, until there is a CRD. */
function includeCrds(text: string): string {
  if (/^[ \t]*-[ \t]+\.\.\/crd[ \t\r]*$/m.test(text)) return text;
  const changed = text.replace(/^([ \t]*)#[ \t]*(-[ \t]+\.\.\/crd[ \t\r]*)$/m, "$1$2");
  if (changed !== text) return changed;
  throw new ProblemError(
    "missing-anchor",
    `${defaultKustomization} has neither "- ../crd" nor the comment "#- ../crd" among its resources; nothing was changed`,
    "add this line to its resources and run the command again:\n    - ../crd",
  );
}

/** Comments `- ../crd` out. */
function excludeCrds(text: string): string {
  return text.replace(/^([ \t]*)(-[ \t]+\.\.\/crd[ \t\r]*)$/m, "$1#$2");
}
