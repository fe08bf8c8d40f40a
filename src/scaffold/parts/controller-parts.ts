import { exampleChild } from "../../project/children.ts";
import { controllerClass, controllerFile, controllersOf, runtimeName } from "../../project/controllers.ts";
import { sameKind } from "../../project/entries.ts";
import { kindFile, relativeImport } from "../../project/paths.ts";
import { camelCase, hasTypes } from "../../project/resource.ts";
import { completeModel } from "../../project/target.ts";
import { importBlock, importLine, type WantedImport } from "../code/print.ts";
import type { Tree } from "../files/tree.ts";
import type { Scaffold } from "../plan/scaffold.ts";
import type { Templates } from "../templates/templates.ts";
import type { ApiParts } from "./api-model.ts";
import { kindImport } from "./kind-import.ts";
import { groupInName, mainFile, nameInMain } from "./main-file.ts";
import { mapApiImports } from "./package-json.ts";
import { type SampleTypes, sampleTypes, sampleValue, specOf } from "./sample.ts";

const runtime = "@kubewright/runtime";

/** Scaffolds a controller of a kind, with its tests and its registration. */
export function addController(
  { scaffold, tree, templates }: { scaffold: Scaffold; tree: Tree; templates: Templates },
  parts: ApiParts,
  name: string,
): void {
  const { project, resource } = parts;
  const written = sampleTypes(tree, resource, project);
  const types = {
    ...written,
    definition: parts.definition?.name ?? written.definition,
    example: parts.sample === undefined ? written.example : specOf(parts.sample, resource),
  };
  for (const { path, content } of templates.render("controller", controllerValues(parts, name, types))) {
    scaffold.file(path, content, "refuse");
  }
  // A simulation needs the definition of the kind, and a sample that the server accepts.
  if (resource.origin === "own" && types.definition === undefined) {
    for (const { path, content } of templates.render("simulation", simulationValues(parts, name, types))) {
      scaffold.file(path, content, "refuse");
    }
  }
  if (resource.module === undefined) mapApiImports(scaffold);
  if (project.namespaced && !resource.namespaced) bindClusterRole(scaffold, templates, parts);
  const className = controllerClass(resource.kind, name);
  const module = relativeImport(mainFile, controllerFile(resource, name, project));
  const wanted = wantedName(parts, name);
  const local = nameInMain(tree, { name: className, module, wanted, before: parts.mainBefore });
  const imported = local === className ? className : `${className} as ${local}`;
  scaffold.insert(mainFile, { anchor: "imports", lines: [importLine([imported], module)] });
  scaffold.insert(mainFile, { anchor: "builder", lines: [`await new ${local}(mgr.client).setupWithManager(mgr);`] });
}

/**
 * Adds the cluster role binding that a namespaced manager needs for cluster-scoped kinds. It stays as long as another such
 * kind may need it.
 */
function bindClusterRole(scaffold: Scaffold, templates: Templates, parts: ApiParts): void {
  const { project, resource, coreKinds } = parts;
  const needed = project.resources.some(
    (entry) =>
      !sameKind(entry, resource) && controllersOf(entry).length > 0 && !completeModel(entry, coreKinds).namespaced,
  );
  for (const { path, content } of templates.render("cluster-binding", { projectName: project.projectName })) {
    scaffold.shared(path, content, needed);
  }
  scaffold.append("config/rbac/kustomization.yaml", "resources", ["cluster_role_binding.yaml"], needed);
}

/** Returns the controller's name for main.ts, where a second controller of the same name gets its group as a prefix. */
function wantedName({ project, resource }: ApiParts, name: string): string {
  const className = controllerClass(resource.kind, name);
  const rival = project.resources.some(
    (entry) =>
      !sameKind(entry, resource) &&
      controllersOf(entry).some((other) => controllerClass(entry.kind, other) === className),
  );
  return rival ? `${groupInName(resource.group)}${className}` : className;
}

/** Returns the values for the templates of a controller. */
function controllerValues(parts: ApiParts, name: string, types: SampleTypes) {
  const { project, resource, header, kstatus = false } = parts;
  const file = controllerFile(resource, name, project);
  const className = controllerClass(resource.kind, name);
  const kind = kindImport(resource, project);
  // An empty sample lacks the fields that an existing definition requires.
  const servers = resource.origin === "own" && types.definition === undefined;
  const children = childrenValues(parts, name);
  return {
    header,
    kstatus,
    kind: resource.kind,
    plural: resource.plural,
    rbacGroup: resource.qualifiedGroup === "" ? "core" : resource.qualifiedGroup,
    onlyReads: resource.origin === "external" && hasTypes(resource),
    // A Role can't grant access to cluster-scoped resources.
    rbacNamespace: project.namespaced && resource.namespaced ? `,namespace=${project.projectName}-system` : "",
    isNamespaced: resource.namespaced,
    servers,
    controllerPath: file.split("/").slice(1, -1).join("/"),
    controllerFile: `${name}-controller`,
    className,
    kindValue: kind.value,
    kindDeclaration: kind.declaration,
    controllerName: runtimeName(resource, name, project),
    imports: importBlock([
      { module: runtime, names: [...controllerImports, ...(kstatus ? ["patchStatus"] : [])] },
      { module: runtime, names: children.childrenName ? ["childrenOf"] : kstatus ? ["setReady"] : [] },
      ...(children.childrenName ? [childImport] : []),
      ...kind.imports,
    ]),
    ...children,
    testImports: importBlock([
      { module: runtime, names: [...(kstatus ? ["computeStatus"] : []), ...(servers ? ["Manager"] : [])] },
      ...(servers ? serverImports : []),
      { module: `${runtime}/testing`, names: ["fakeClient", "testContext", "testLogger"] },
      { module: "vitest", names: ["beforeEach", "describe", "expect", "it"] },
      ...(children.childrenName ? [childImport] : []),
      ...kindImport(resource, project).imports,
      { module: `./${kindFile(name)}-controller.ts`, names: [className] },
    ]),
    objectType: kind.type,
    sampleValue: sampleValue(resource, kind.value, types),
  };
}

/** Returns the values for the set of children of a controller. The name of a controller without one is empty. */
function childrenValues({ resource, children = [] }: ApiParts, name: string) {
  if (!children.includes(name)) return { childrenName: "", childrenOwner: "", childSuffix: "", childNamespace: "" };
  // Two controllers of a kind would otherwise delete the children of each other.
  const isNamed = name !== kindFile(resource.kind);
  return {
    childrenName: `${camelCase(controllerClass(resource.kind, name).slice(0, -"Reconciler".length))}Children`,
    childrenOwner: isNamed ? `${name}-controller` : "",
    childSuffix: isNamed ? `-${name}` : "",
    // A cluster-scoped kind has no namespace that the child could have by default.
    childNamespace: resource.namespaced ? "" : "default",
  };
}

/** Returns the values for the template of a simulation. */
function simulationValues({ project, resource, header }: ApiParts, name: string, types: SampleTypes) {
  const file = controllerFile(resource, name, project);
  const className = controllerClass(resource.kind, name);
  const kind = kindImport(resource, project);
  return {
    header,
    kind: resource.kind,
    isNamespaced: resource.namespaced,
    controllerPath: file.split("/").slice(1, -1).join("/"),
    controllerFile: `${name}-controller`,
    className,
    kindValue: kind.value,
    imports: importBlock([
      { module: `${runtime}/simulation`, names: ["simulate"] },
      { module: "vitest", names: ["it"] },
      ...kind.imports,
      { module: `./${kindFile(name)}-controller.ts`, names: [className] },
    ]),
    objectType: kind.type,
    sampleValue: sampleValue(resource, kind.value, types),
  };
}

const childImport: WantedImport = { module: `${runtime}/api/core/v1`, names: [exampleChild] };

const controllerImports = [
  "type Client",
  "type Context",
  "ignoreNotFound",
  "type Manager",
  "newControllerManagedBy",
  "type Reconciler",
  "type Request",
];

const serverImports: readonly WantedImport[] = [
  { module: `${runtime}/envtest`, names: ["TestEnvironment"] },
  { module: `${runtime}/testing`, names: ["eventually"] },
  { module: "vitest", names: ["afterAll", "beforeAll", "type MockInstance", "vi"] },
];
