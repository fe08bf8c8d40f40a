import {
  apiDirectory,
  controllerDirectory,
  crdFile,
  groupDirectory,
  kindFile,
  rolePrefix,
  sampleFile,
  typesFile,
} from "../project/paths.ts";
import { type Project, type ProjectResource, sameResource } from "../project/project-file.ts";
import { pascalCase, type Resource } from "../project/resource.ts";
import { builderChain, groupVersionValue, importLine, kindValue, listType, readStatement } from "./code-lines.ts";
import { importedAs, mainFile } from "./main-file.ts";
import type { Scaffold } from "./scaffold.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Templates } from "./templates.ts";
import type { Tree } from "./tree.ts";

/** An API, a controller or both, in a project; everything has been checked against the rules. */
export interface ApiParts {
  readonly project: Project;
  readonly resource: Resource;
  readonly api: boolean;
  readonly controller: boolean;
  /** The comment that a new file begins with. */
  readonly header: string;
}

const defaultKustomization = "config/default/kustomization.yaml";

/** Everything that an API, a controller or both are made of. */
export function scaffoldApi(scaffold: Scaffold, tree: Tree, templates: Templates, parts: ApiParts): void {
  const values = templateValues(parts);
  if (parts.api) addTypes(scaffold, templates, parts, values);
  if (parts.controller) addController(scaffold, tree, templates, parts, values, values);
}

/** The versions of a resource's kind that have types in the project. */
export function versionsOf(project: Project, resource: Resource): ProjectResource[] {
  return project.resources.filter(
    (entry) => entry.api !== undefined && sameResource({ ...entry, version: resource.version }, resource),
  );
}

function templateValues({ project, resource, header }: ApiParts) {
  const { multigroup, projectName, namespaced } = project;
  const file = kindFile(resource.kind);
  const directory = controllerDirectory(resource, project);
  return {
    ...resource,
    header,
    projectName,
    namespaced,
    roleKind: namespaced ? "Role" : "ClusterRole",
    rbacNamespace: namespaced ? `,namespace=${projectName}-system` : "",
    apiVersion: `${resource.qualifiedGroup}/${resource.version}`,
    apiPath: multigroup ? `${groupDirectory(resource.group)}/${resource.version}` : resource.version,
    kindFile: file,
    rolePrefix: rolePrefix(resource, project),
    roleName: rolePrefix(resource, project).replaceAll("_", "-"),
    sampleFile: sampleFile(resource),
    resourceMarker: resourceMarker(resource),
    controllerPath: directory.slice("src/".length),
    controllerFile: `${file}-controller`,
    className: `${resource.kind}Reconciler`,
    groupVersionValue: groupVersionValue(resource.qualifiedGroup, resource.version),
    listType: listType(resource.kind),
    kindValue: kindValue(resource.kind),
    readStatement: readStatement(resource.kind),
    builderChain: builderChain(resource.kind, controllerName(resource, project)),
    importKind: importLine(
      [resource.kind],
      `${"../".repeat(directory.split("/").length)}${apiDirectory(resource, project)}/index.ts`,
    ),
    isNamespaced: resource.namespaced,
  };
}

/** What logs and metrics call the controller; one name must not stand for two. */
function controllerName(resource: Resource, { multigroup }: Project): string {
  const group = multigroup && resource.group !== "" ? `${resource.group.replaceAll(".", "-")}-` : "";
  return `${group}${kindFile(resource.kind)}`;
}

/** What the CRD needs to be told beyond what the types say. */
function resourceMarker(resource: Resource): string {
  const parts = [
    ...(resource.irregularPlural ? [`path=${resource.plural}`] : []),
    ...(resource.namespaced ? [] : ["scope=Cluster"]),
  ];
  return parts.length === 0 ? "" : `// +kubebuilder:resource:${parts.join(",")}`;
}

function addTypes(scaffold: Scaffold, templates: Templates, parts: ApiParts, values: object): void {
  const { project, resource } = parts;
  for (const { path, content } of templates.render("types", values)) scaffold.file(path, content, "refuse");
  const others = project.resources.filter((entry) => entry.api !== undefined && !sameResource(entry, resource));
  // The versions of a kind are one CRD, with one set of roles.
  const otherVersions = others.some((entry) => sameResource({ ...entry, version: resource.version }, resource));
  for (const { path, content } of templates.render("kind", values)) {
    if (otherVersions) scaffold.shared(path, content, true);
    else scaffold.file(path, content, "refuse");
  }
  const ofVersion = others.some(({ group = "", version }) => group === resource.group && version === resource.version);
  for (const { path, content } of templates.render("version", values)) scaffold.shared(path, content, ofVersion);
  for (const { path, content } of templates.render("crd", values)) scaffold.shared(path, content, others.length > 0);
  const types = [`export * from "./${kindFile(resource.kind)}-types.ts";`];
  scaffold.insert(
    `${apiDirectory(resource, project)}/index.ts`,
    { anchor: "types", lines: types },
    { about: typesFile(resource, project) },
  );
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

/** Uncomments `- ../crd`, which waits in a new project until there is a CRD. */
function includeCrds(text: string): string {
  if (/^[ \t]*-[ \t]+\.\.\/crd[ \t\r]*$/m.test(text)) return text;
  const changed = text.replace(/^([ \t]*)#[ \t]*(-[ \t]+\.\.\/crd[ \t\r]*)$/m, "$1$2");
  if (changed !== text) return changed;
  throw new ScaffoldError(
    "missing-anchor",
    `${defaultKustomization} has neither "- ../crd" nor the comment "#- ../crd" among its resources; nothing was changed`,
    "add this line to its resources and run the command again:\n    - ../crd",
  );
}

/** Comments `- ../crd` out again. */
function excludeCrds(text: string): string {
  return text.replace(/^([ \t]*)(-[ \t]+\.\.\/crd[ \t\r]*)$/m, "$1#$2");
}

function addController(
  scaffold: Scaffold,
  tree: Tree,
  templates: Templates,
  { project, resource }: ApiParts,
  { className }: { className: string },
  values: object,
): void {
  for (const { path, content } of templates.render("controller", values)) scaffold.file(path, content, "refuse");
  const module = `./${controllerDirectory(resource, project).slice("src/".length)}/${kindFile(resource.kind)}-controller.ts`;
  const name = importedAs(tree, className, module) ?? nameInMain(project, resource, className);
  const imported = name === className ? className : `${className} as ${name}`;
  scaffold.insert(mainFile, { anchor: "imports", lines: importLine([imported], module).split("\n") });
  scaffold.insert(mainFile, { anchor: "builder", lines: [`await new ${name}(mgr.client).setupWithManager(mgr);`] });
}

/** In main.ts two controllers of one name need two names: the later one gets its group in front. */
function nameInMain(project: Project, resource: Resource, className: string): string {
  const rival = project.resources.find(
    (entry) => entry.controller === true && entry.kind === resource.kind && (entry.group ?? "") !== resource.group,
  );
  return rival === undefined ? className : `${pascalCase(resource.group)}${className}`;
}
