import {
  apiDirectory,
  controllerDirectory,
  crdFile,
  groupDirectory,
  kindFile,
  rolePrefix,
  sampleFile,
} from "../project/paths.ts";
import { type Project, sameResource } from "../project/project-file.ts";
import { pascalCase, type Resource } from "../project/resource.ts";
import { insertAtAnchor } from "./anchors.ts";
import { projectHeader } from "./boilerplate.ts";
import { builderChain, groupVersionValue, importLine, kindValue, listType, readStatement } from "./code-lines.ts";
import type { Plan } from "./operation.ts";
import { PlanBuilder } from "./plan.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import { isStorageVersion, markStorageVersion, storageVersionAdvice } from "./storage-version.ts";
import type { Templates } from "./templates.ts";
import type { Tree } from "./tree.ts";
import { appendToList } from "./yaml-list.ts";

/** What `create api` adds; everything has been checked against the rules and the project. */
export interface CreateApiInput {
  readonly project: Project;
  readonly resource: Resource;
  readonly api: boolean;
  readonly controller: boolean;
  readonly force: boolean;
  readonly year: number;
  /** The new text of PROJECT. */
  readonly projectText: string;
}

const mainFile = "src/main.ts";
const defaultKustomization = "config/default/kustomization.yaml";

/** The plan of a new API, controller or both. Throws a ScaffoldError when files are in the way or anchors are missing. */
export function planCreateApi(tree: Tree, templates: Templates, input: CreateApiInput): Plan {
  const plan = new PlanBuilder(tree, { force: input.force });
  const values = templateValues(input, projectHeader(tree, input.year));
  if (input.api) {
    addTypes(plan, templates, input, values);
    keepStorageVersion(plan, tree, input);
  }
  if (input.controller) addController(plan, templates, input, values);
  plan.artifact("PROJECT", input.projectText);
  return plan.build();
}

function templateValues({ project, resource }: CreateApiInput, header: string) {
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

function addTypes(plan: PlanBuilder, templates: Templates, input: CreateApiInput, values: object): void {
  const { project, resource } = input;
  for (const { path, content } of templates.render("types", values)) plan.file(path, content, "refuse");
  // Shared by all kinds of a version, or of the project: made once, extended afterwards.
  for (const set of ["version", "crd"]) {
    for (const { path, content } of templates.render(set, values))
      if (!plan.has(path)) plan.file(path, content, "keep");
  }
  const insert = (file: string, anchor: string, lines: readonly string[]) =>
    plan.edit(file, (text) => insertAtAnchor(text, file, { anchor, lines }));
  insert(`${apiDirectory(resource, project)}/index.ts`, "types", [
    `export * from "./${kindFile(resource.kind)}-types.ts";`,
  ]);
  insert("config/crd/kustomization.yaml", "crdkustomizeresource", [`- bases/${crdFile(resource)}`]);
  insert("config/samples/kustomization.yaml", "manifestskustomizesamples", [`- ${sampleFile(resource)}`]);
  const roles = ["admin", "editor", "viewer"].map((role) => `${rolePrefix(resource, project)}_${role}_role.yaml`);
  const rbac = "config/rbac/kustomization.yaml";
  plan.edit(rbac, (text) => appendToList(text, rbac, "resources", roles));
  plan.edit(defaultKustomization, includeCrds);
}

/** Of several versions of a kind one is stored. The first one was it without a word, and stays it. */
function keepStorageVersion(plan: PlanBuilder, tree: Tree, { project, resource }: CreateApiInput): void {
  const file = ({ version }: { version: string }) =>
    `${apiDirectory({ ...resource, version }, project)}/${kindFile(resource.kind)}-types.ts`;
  const versions = project.resources.filter(
    (entry) => entry.api !== undefined && sameResource({ ...entry, version: resource.version }, resource),
  );
  const others = versions.filter(({ version }) => version !== resource.version);
  const marked = versions.find((entry) => isStorageVersion(tree.readText(file(entry)) ?? ""));
  const first = marked ?? versions[0];
  // One version alone needs no marker, and a file that has it and isn't written now keeps it.
  if (first === undefined || (marked === undefined && others.length === 0) || others.some((other) => other === marked))
    return;
  plan.editIfPossible(
    file(first),
    (text) => markStorageVersion(text, resource.kind),
    storageVersionAdvice(file(first), resource.kind),
  );
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

function addController(
  plan: PlanBuilder,
  templates: Templates,
  input: CreateApiInput,
  values: { className: string },
): void {
  const { project, resource } = input;
  for (const { path, content } of templates.render("controller", values)) plan.file(path, content, "refuse");
  const { className } = values;
  const module = `./${controllerDirectory(resource, project).slice("src/".length)}/${kindFile(resource.kind)}-controller.ts`;
  const alias = aliasFor(project, resource, className);
  const name = alias ?? className;
  plan.edit(mainFile, (text) => {
    const imported = insertAtAnchor(text, mainFile, {
      anchor: "imports",
      lines: importLine([alias === undefined ? className : `${className} as ${alias}`], module).split("\n"),
    });
    return insertAtAnchor(imported, mainFile, {
      anchor: "builder",
      lines: [`await new ${name}(mgr.client).setupWithManager(mgr);`],
    });
  });
}

/** In main.ts two controllers of one name need two names: the later one gets its group in front. */
function aliasFor(project: Project, resource: Resource, className: string): string | undefined {
  const rival = project.resources.find(
    (entry) => entry.controller === true && entry.kind === resource.kind && (entry.group ?? "") !== resource.group,
  );
  return rival === undefined ? undefined : `${pascalCase(resource.group)}${className}`;
}
