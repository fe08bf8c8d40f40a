// Edits of PROJECT. They preserve comments and unknown keys.
import { type Document, isMap, isNode, isSeq } from "yaml";
import { editDocument } from "../yaml/document.ts";
import { controllersOf } from "./controllers.ts";
import { entryHasTypes, entryOf, sameKind, sameResource } from "./entries.ts";
import { apiDirectory } from "./paths.ts";
import {
  certificatesPath,
  childrenKey,
  clusterScopedKey,
  crdChartKey,
  format,
  helmKey,
  kstatusKey,
  modelOf,
  type Project,
  type ProjectResource,
  publishKey,
  type RecordedWebhooks,
  versionName,
} from "./project-file.ts";
import { type Resource, unrecordedPlural } from "./resource.ts";
import type { WebhookCertificates } from "./webhook-certs.ts";

/** Returns the `path` of a resource: the location of its types. For built-in kinds, it is the same as in kubebuilder. */
function recordedPath(project: Project, of: Resource): string {
  if (of.origin === "core") return `k8s.io/api/${of.group}/${of.version}`;
  return of.module ?? `${project.repo}/${apiDirectory(of, project)}`;
}

/** The parts that a command added to a resource. */
export interface Added {
  readonly api?: boolean;
  /** Whether the kind uses server-side apply. An existing record stays. */
  readonly ssa?: boolean;
  /** Whether types or a controller were scaffolded for kstatus. By default, the record stays. */
  readonly kstatus?: boolean;
  readonly controller?: boolean;
  /** The controller that was scaffolded, and whether it has a set of children. By default, the record stays. */
  readonly children?: { readonly controller: string; readonly isListed: boolean };
  /** The names of all of the resource's controllers, if one of them was named explicitly. */
  readonly controllers?: readonly string[];
  /** All of the resource's webhooks, including existing ones. */
  readonly webhooks?: RecordedWebhooks;
  /** The package, with its version, of an external kind's types. */
  readonly package?: string;
}

function recordedApi({ namespaced }: Resource, ssa: boolean): ProjectResource["api"] {
  return { crdVersion: "v1", ...(namespaced ? { namespaced } : {}), ...(ssa ? { ssa } : {}) };
}

/** Returns PROJECT with a resource added or, if it exists, updated. Preserves comments and unknown keys. */
export function withResource(project: Project, added: Resource, what: Added): string {
  const document = editDocument(project.text);
  const index = project.resources.findIndex((entry) => sameResource(entry, added));
  const values = {
    ...(what.api ? { api: recordedApi(added, what.ssa === true) } : {}),
    ...(what.controllers === undefined && what.controller ? { controller: true } : {}),
    ...(what.controllers === undefined ? {} : { controllers: what.controllers.map((name) => ({ name })) }),
    ...(added.origin === "core" ? { core: true } : {}),
    ...(added.domain === "" ? {} : { domain: added.domain }),
    ...(added.origin === "external" ? { external: true } : {}),
    ...(added.group === "" ? {} : { group: added.group }),
    kind: added.kind,
    ...(what.package === undefined ? {} : { module: what.package }),
    path: recordedPath(project, added),
    ...(added.plural === unrecordedPlural(added.kind) ? {} : { plural: added.plural }),
    version: added.version,
    ...(what.webhooks === undefined ? {} : { webhooks: what.webhooks }),
  };
  if (index >= 0) {
    // The group stays as it is written: it may be split into group and domain in another way.
    const { webhooks = {}, api = {}, group: _, domain: __, ...rest } = values;
    const at = ["resources", index];
    // The names replace the flag, as in kubebuilder.
    if (what.controllers !== undefined) document.deleteIn([...at, "controller"]);
    for (const [key, value] of Object.entries(rest)) setInOrder(document, at, key, value);
    const scope = [...at, "api", "namespaced"];
    if (what.api && !added.namespaced && document.hasIn(scope)) document.deleteIn(scope);
    mergeInOrder(document, at, "api", api);
    mergeInOrder(document, at, "webhooks", webhooks);
  } else {
    const list = document.get("resources");
    if (isSeq(list)) {
      list.flow = false;
      list.add(document.createNode(values));
    } else setInOrder(document, [], "resources", [values]);
  }
  const name = versionName(added);
  recordInList(document, clusterScopedKey, name, added.origin === "external" && !added.namespaced);
  if (what.kstatus !== undefined) recordInList(document, kstatusKey, name, what.kstatus);
  if (what.children) recordInList(document, childrenKey, `${name}/${what.children.controller}`, what.children.isListed);
  return document.toString(format);
}

/** Settings of a project that can be changed. */
export interface ProjectOptions {
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly webhookCerts?: WebhookCertificates;
  readonly helm?: boolean;
  readonly crdChart?: boolean;
  readonly publishesChart?: boolean;
}

/** Returns a project with changed settings, including its text. The paths of its own kinds follow the new layout. */
export function withOptions(project: Project, options: ProjectOptions): Project {
  const choseWebhookCerts = project.choseWebhookCerts || options.webhookCerts !== undefined;
  const charts = { ...project, ...options };
  const changed = {
    ...charts,
    choseWebhookCerts,
    crdChart: charts.helm && charts.crdChart,
    publishesChart: charts.helm && charts.publishesChart,
  };
  const document = editDocument(project.text);
  for (const key of ["multigroup", "namespaced"] as const) {
    if (changed[key]) setInOrder(document, [], key, true);
    else document.delete(key);
  }
  recordDeep(document, certificatesPath, choseWebhookCerts ? changed.webhookCerts : undefined);
  recordDeep(document, helmKey, changed.helm ? true : undefined);
  recordDeep(document, crdChartKey, changed.crdChart ? true : undefined);
  recordDeep(document, publishKey, changed.publishesChart ? true : undefined);
  const resources = project.resources.map((entry, index) => {
    const own = modelOf(entry);
    if (own.origin !== "own" || entry.path !== recordedPath(project, own)) return entry;
    const path = recordedPath(changed, own);
    setInOrder(document, ["resources", index], "path", path);
    return { ...entry, path };
  });
  return { ...changed, resources, text: document.toString(format) };
}

/** Returns PROJECT with the version of the CLI that last scaffolded or upgraded the project. */
export function withCliVersion(project: Project, cliVersion: string): string {
  const document = editDocument(project.text);
  setInOrder(document, [], "cliVersion", cliVersion);
  return document.toString(format);
}

/** Returns PROJECT without a resource. Preserves comments and unknown keys of the others. */
export function withoutResource(project: Project, gone: Resource): string {
  const document = editDocument(project.text);
  const index = project.resources.findIndex((entry) => sameResource(entry, gone));
  if (index >= 0) document.deleteIn(["resources", index]);
  const list = document.get("resources");
  if (isSeq(list) && list.items.length === 0) document.delete("resources");
  for (const list of [clusterScopedKey, kstatusKey]) recordInList(document, list, versionName(gone), false);
  for (const { children = [] } of project.resources.filter((entry) => sameResource(entry, gone))) {
    for (const name of children) recordInList(document, childrenKey, `${versionName(gone)}/${name}`, false);
  }
  return document.toString(format);
}

/**
 * Returns a project in which no other version of a kind has the controller with a name, because a new controller replaces it.
 */
export function withoutControllerElsewhere(project: Project, of: Resource, name: string): Project {
  const document = editDocument(project.text);
  const resources = project.resources.map((entry, index) => {
    const names = controllersOf(entry);
    if (!sameKind(entry, of) || sameResource(entry, of) || !names.includes(name)) return entry;
    const left = names.filter((each) => each !== name).map((each) => ({ name: each }));
    const at = ["resources", index];
    document.deleteIn([...at, "controller"]);
    document.deleteIn([...at, "controllers"]);
    recordInList(document, childrenKey, `${versionName(entry)}/${name}`, false);
    const { controller, controllers, children, ...rest } = entry;
    if (left.length === 0) return rest;
    setInOrder(document, at, "controllers", left);
    return { ...rest, controllers: left };
  });
  return { ...project, resources, text: document.toString(format) };
}

/** Returns PROJECT with the remaining webhooks of a resource. Removes an external or built-in kind that nothing remains of. */
export function withWebhooksLeft(project: Project, of: Resource, rest: RecordedWebhooks | undefined): string {
  const entry = entryOf(project, of);
  if (
    rest === undefined &&
    (entry === undefined || !entryHasTypes(entry)) &&
    entry?.controller !== true &&
    entry?.controllers === undefined
  ) {
    return withoutResource(project, of);
  }
  const document = editDocument(project.text);
  const index = project.resources.findIndex((resource) => sameResource(resource, of));
  if (rest === undefined) document.deleteIn(["resources", index, "webhooks"]);
  else setInOrder(document, ["resources", index], "webhooks", rest);
  return document.toString(format);
}

/** Adds a name to a list of plugins, or removes it. */
function recordInList(document: Document, list: readonly string[], name: string, isListed: boolean): void {
  const listed = document.getIn(list);
  const before: unknown[] = isSeq(listed) ? listed.toJSON() : [];
  if (before.includes(name) === isListed) return;
  const after = isListed ? [...before, name] : before.filter((other) => other !== name);
  recordDeep(document, list, after.length === 0 ? undefined : after);
}

/** Sets or deletes a nested value. Creates missing parent maps, and removes those that become empty. */
function recordDeep(document: Document, path: readonly string[], value: unknown): void {
  const parents = path.map((_, at) => path.slice(0, at)).filter((parent) => parent.length > 0);
  if (value !== undefined) {
    for (const parent of parents) {
      if (!isMap(document.getIn(parent))) setInOrder(document, parent.slice(0, -1), parent.at(-1) ?? "", {});
    }
    setInOrder(document, path.slice(0, -1), path.at(-1) ?? "", value);
  } else if (document.hasIn(path)) {
    document.deleteIn(path);
    for (const parent of parents.reverse()) {
      const map = document.getIn(parent);
      if (isMap(map) && map.items.length === 0) document.deleteIn(parent);
    }
  }
}

/** Sets keys of a nested map, which is created if it is missing. Its other keys stay. */
function mergeInOrder(document: Document, path: readonly (string | number)[], key: string, values: object): void {
  if (Object.keys(values).length === 0) return;
  if (!isMap(document.getIn([...path, key]))) setInOrder(document, path, key, values);
  else for (const [name, value] of Object.entries(values)) setInOrder(document, [...path, key], name, value);
}

/** Sets a key of a map in alphabetical order, as in kubebuilder's files. */
function setInOrder(document: Document, path: readonly (string | number)[], key: string, value: unknown): void {
  const map = path.length === 0 ? document.contents : document.getIn(path);
  if (!isMap(map)) return;
  if (map.has(key)) {
    // Don't replace an unchanged node, because it may have comments.
    const current = map.get(key);
    const same = JSON.stringify(isNode(current) ? current.toJSON() : current) === JSON.stringify(value);
    if (!same) map.set(key, document.createNode(value));
    return;
  }
  const pair = document.createPair(key, value);
  const before = map.items.findIndex((item) => String((item.key as { value?: unknown }).value ?? item.key) > key);
  if (before < 0) map.items.push(pair);
  else map.items.splice(before, 0, pair);
}
