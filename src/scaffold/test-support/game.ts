import { fileURLToPath } from "node:url";
import { withoutResource, withResource, withWebhooksLeft } from "../../project/change-project.ts";
import { controllersOf } from "../../project/controllers.ts";
import { entryOf } from "../../project/entries.ts";
import { kstatusChoice } from "../../project/kstatus.ts";
import { kindFile } from "../../project/paths.ts";
import { modelOf, newProjectText, readProject } from "../../project/project-file.ts";
import { packageIdentity } from "../../project/repo.ts";
import { resource } from "../../project/resource.ts";
import { completeModel, type ExternalApi, type KnownKind, targetOf } from "../../project/target.ts";
import type { WebhookCertificates } from "../../project/webhook-certs.ts";
import { webhookStateProblem } from "../../project/webhook-rules.ts";
import {
  mergedWebhooks,
  noWebhooks,
  recordedIfAny,
  recordedWebhooks,
  typesOf,
  type Webhooks,
  type WebhookType,
  webhooksOf,
} from "../../project/webhooks.ts";
import { planCreateApi } from "../commands/create-api.ts";
import { planCreateProject } from "../commands/create-project.ts";
import { planCreateWebhook } from "../commands/create-webhook.ts";
import { planDeleteApi } from "../commands/delete-api.ts";
import { planDeleteWebhook } from "../commands/delete-webhook.ts";
import { planInit } from "../commands/init.ts";
import type { Plan } from "../files/operation.ts";
import { openTree } from "../files/tree.ts";
import { boilerplate } from "../parts/boilerplate.ts";
import { openTemplates } from "../templates/templates.ts";
import { applyFormatted } from "./formatted.ts";

export const templatesDirectory = fileURLToPath(new URL("../../../templates", import.meta.url));
const year = 2026;

/** Scaffolds a project into a directory, as `init` does, with fixed package references. */
export async function initProject(
  root: string,
  input: {
    projectName?: string;
    domain?: string;
    repo?: string;
    multigroup?: boolean;
    namespaced?: boolean;
    webhookCerts?: WebhookCertificates;
  } = {},
): Promise<Plan> {
  const { projectName = "mygame", domain = "qingwave.github.io", multigroup = false, namespaced = false } = input;
  const { webhookCerts = "cert-manager" } = input;
  const repo = input.repo ?? "qingwave.github.io/mygame";
  const npm = packageIdentity(repo);
  if (npm === undefined) throw new Error(`${repo} can't be a package`);
  const plan = await planInit(openTree(root), await openTemplates(templatesDirectory), {
    projectName,
    domain,
    repo,
    npm,
    boilerplate: boilerplate(templatesDirectory, "apache2", undefined),
    year,
    namespaced,
    webhookCerts,
    projectText: newProjectText({
      ...{ domain, projectName, repo, cliVersion: "0.0.0" },
      ...{ multigroup, namespaced, webhookCerts: input.webhookCerts },
    }),
    references: { kubewright: "0.0.0", runtime: "0.0.0", apiserver: "0.0.0", files: [] },
  });
  await applyFormatted(root, plan);
  return plan;
}

/** Scaffolds a project with the example kind, as `create project` does, with fixed package references. */
export async function newProject(root: string, domain: string): Promise<void> {
  const settings = { projectName: "website", domain, repo: "website", multigroup: false, namespaced: false };
  const project = readProject(newProjectText({ ...settings, cliVersion: "0.0.0" }));
  if ("message" in project) throw new Error(project.message);
  const plan = await planCreateProject(openTree(root), await openTemplates(templatesDirectory), {
    project,
    npm: { name: "website", fromModulePath: false },
    boilerplate: boilerplate(templatesDirectory, "apache2", undefined),
    year,
    references: { kubewright: "0.0.0", runtime: "0.0.0", apiserver: "0.0.0", files: [] },
    coreKinds: () => "no kind of Kubernetes",
  });
  await applyFormatted(root, plan);
}

/** Adds a kind to a project, or a controller to an existing kind, as `create api` does. */
export async function createApi(
  root: string,
  input: {
    group?: string;
    version?: string;
    kind?: string;
    plural?: string;
    namespaced?: boolean;
    /** Whether to create types. Without types, the kind must exist in the project or be external. */
    api?: boolean;
    controller?: boolean;
    controllerName?: string;
    /** Whether a new kind is scaffolded for kstatus. The default is that of the command. */
    kstatus?: boolean;
    /** Whether the controller has a set of children. */
    children?: boolean;
    force?: boolean;
    external?: ExternalApi;
    core?: KnownKind;
  } = {},
): Promise<Plan> {
  const tree = openTree(root);
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const { group = "myapp", version = "v1", kind = "Game", plural, namespaced = true, force = false } = input;
  const { external = {}, controllerName, core } = input;
  const parts = { api: input.api !== false, controller: input.controller !== false };
  const names = { group, version, kind, plural };
  const coreKinds = () => core ?? "no kind of Kubernetes";
  const added = parts.api
    ? resource({ ...names, domain: project.domain, namespaced })
    : targetOf(project, names, external, coreKinds);
  if ("message" in added) throw new Error(added.message);
  const kstatus = kstatusChoice(project, added, { api: parts.api, force, kstatus: input.kstatus });
  if (typeof kstatus !== "boolean") throw new Error(kstatus.message);
  const present = controllersOf(entryOf(project, added));
  const controllers = controllerName === undefined ? {} : { controllers: [...present, controllerName] };
  const own = controllerName ?? kindFile(kind);
  const children = input.children ? [own] : [];
  const more = external.package === undefined ? {} : { package: external.package };
  const plan = planCreateApi(tree, await openTemplates(templatesDirectory), {
    project,
    resource: added,
    coreKinds,
    ...parts,
    kstatus,
    children,
    ...(controllerName === undefined ? {} : { controllerNames: [controllerName] }),
    ...more,
    force,
    year,
    projectText: withResource(project, added, {
      ...parts,
      kstatus,
      ...controllers,
      ...more,
      ...(input.children ? { children: { controller: own, isListed: true } } : {}),
    }),
  });
  await applyFormatted(root, plan);
  return plan;
}

/** Adds webhooks to a kind of a project or to an external one, as `create webhook` does. */
export async function createWebhook(
  root: string,
  input: {
    group?: string;
    version?: string;
    kind?: string;
    force?: boolean;
    external?: ExternalApi;
    core?: KnownKind;
  } & Partial<Webhooks>,
): Promise<Plan> {
  const tree = openTree(root);
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const { group = "myapp", version = "v1", kind = "Game", force = false, external = {}, core, ...webhooks } = input;
  const target = targetOf(project, { group, version, kind }, external, () => core ?? "no kind of Kubernetes");
  if ("message" in target) throw new Error(target.message);
  const wanted = { ...noWebhooks, ...webhooks };
  const problem = webhookStateProblem(project, target, wanted, force);
  if (problem !== undefined) throw new Error(problem.message);
  const present = webhooksOf(entryOf(project, target));
  const plan = await planCreateWebhook(tree, await openTemplates(templatesDirectory), {
    project,
    resource: target,
    wanted,
    force,
    year,
    projectText: withResource(project, target, { webhooks: recordedWebhooks(mergedWebhooks(present, wanted)) }),
  });
  await applyFormatted(root, plan);
  return plan;
}

/** Removes a kind from a project, as `delete api` does. */
export async function deleteApi(
  root: string,
  {
    group = "myapp",
    version = "v1",
    kind = "Game",
    force = false,
  }: { group?: string; version?: string; kind?: string; force?: boolean } = {},
): Promise<Plan> {
  const tree = openTree(root);
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const entry = project.resources.find(
    (projectResource) =>
      projectResource.group === group && projectResource.version === version && projectResource.kind === kind,
  );
  if (entry === undefined) throw new Error(`no ${kind}`);
  const gone = modelOf(entry);
  const plan = planDeleteApi(tree, await openTemplates(templatesDirectory), {
    project,
    resource: gone,
    coreKinds: () => "no kind of Kubernetes",
    api: entry.api !== undefined,
    controller: controllersOf(entry).length > 0,
    controllerNames: controllersOf(entry),
    kstatus: entry.kstatus === true,
    force,
    year,
    projectText: withoutResource(project, gone),
  });
  await applyFormatted(root, plan);
  return plan;
}

/** Removes webhooks from a kind, as `delete webhook` does; by default all of them. */
export async function deleteWebhook(
  root: string,
  input: { group?: string; version?: string; kind?: string; types?: readonly WebhookType[]; core?: KnownKind } = {},
): Promise<Plan> {
  const tree = openTree(root);
  const project = readProject(tree.readText("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const { group = "myapp", version = "v1", kind = "Game", core } = input;
  const entry = project.resources.find(
    (projectResource) =>
      projectResource.group === group && projectResource.version === version && projectResource.kind === kind,
  );
  if (entry === undefined) throw new Error(`no ${kind}`);
  const resource = completeModel(entry, () => core ?? "no kind of Kubernetes");
  const present = webhooksOf(entry);
  const types = input.types ?? typesOf(present);
  const part = (gone: boolean): Webhooks => ({
    ...present,
    defaulting: present.defaulting && types.includes("defaulting") === gone,
    validation: present.validation && types.includes("validation") === gone,
    conversion: present.conversion && types.includes("conversion") === gone,
    spokes: types.includes("conversion") === gone ? present.spokes : [],
  });
  const plan = await planDeleteWebhook(tree, await openTemplates(templatesDirectory), {
    project,
    resource,
    wanted: part(true),
    rest: part(false),
    year,
    projectText: withWebhooksLeft(project, resource, recordedIfAny(part(false))),
  });
  await applyFormatted(root, plan);
  return plan;
}
