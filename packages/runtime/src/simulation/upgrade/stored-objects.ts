import { customVersion, validateCustomResource } from "@kubewright/cel/crd";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import type { KubernetesObject } from "../../api/index.ts";
import { type FieldDifference, fieldDifferences, pathText } from "../../json/field-path.ts";
import { errorText } from "../../log/error-text.ts";
import type { CRD } from "../../manifests/crds.ts";
import { ofUpgrade, type Violation } from "../report/verdict.ts";
import type { RunWorld } from "../world/run-world.ts";
import { titleOf } from "../world/state.ts";

type Version = CRD["spec"]["versions"][number] & { readonly subresources?: { readonly status?: object } };

/** Requests that change nothing, at once and without events of the run. */
export class QuietRequests {
  readonly #world: RunWorld;

  /** @param world - the run */
  constructor(world: RunWorld) {
    this.#world = world;
  }

  /** Reads an object in a version. */
  read(definition: CRD, version: string, object: KubernetesObject): Promise<KubernetesObject> {
    return this.#send("GET", pathOf(definition, version, object));
  }

  /** Returns what the server would store if somebody updated an object without changes. */
  update(definition: CRD, version: string, object: KubernetesObject, subresource = ""): Promise<KubernetesObject> {
    return this.#send("PUT", `${pathOf(definition, version, object)}${subresource}`, object);
  }

  /** Converts an object to a version and back. */
  async convert(definition: CRD, object: KubernetesObject, version: string): Promise<KubernetesObject> {
    const there = await this.read(definition, version, object);
    const { conversions } = this.#world;
    const apiVersion = object.apiVersion as string;
    if (!conversions) return { ...there, apiVersion };
    conversions.isSilent = true;
    try {
      return JSON.parse(JSON.stringify(await conversions.convert(there, apiVersion))) as KubernetesObject;
    } finally {
      conversions.isSilent = false;
    }
  }

  async #send(method: "GET" | "PUT", path: string, body?: KubernetesObject): Promise<KubernetesObject> {
    const { server, scheduler, actors, conversions } = this.#world;
    const { actor } = scheduler;
    scheduler.actor = actors.cluster;
    if (conversions) conversions.isSilent = true;
    try {
      const query = method === "PUT" ? { dryRun: "All", fieldValidation: "Ignore" } : {};
      return (await server.request({ method, path, query, body, maxRetries: 0 })).body as KubernetesObject;
    } finally {
      if (conversions) conversions.isSilent = false;
      scheduler.actor = actor;
    }
  }
}

function pathOf({ spec }: CRD, version: string, { metadata }: KubernetesObject): string {
  const { namespace, name = "" } = metadata ?? {};
  const scope = namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `/apis/${spec.group}/${version}${scope}/${spec.names.plural}/${encodeURIComponent(name)}`;
}

/**
 * Checks that each stored object of the definitions can be read and updated in each served version, and keeps its fields.
 *
 * @param world - the run
 * @param definitions - the definitions of the new version
 * @returns the first problem
 */
export async function checkStoredObjects(world: RunWorld, definitions: readonly CRD[]): Promise<Violation | undefined> {
  for (const definition of definitions) {
    const { group, names, versions } = definition.spec;
    if (world.conversions?.isMissing(group, names.kind)) continue;
    const served = (versions as Version[]).filter((version) => version.served);
    for (const object of world.api.observation.objects(group, names.kind) as unknown as KubernetesObject[]) {
      const problem = await problemOf(new QuietRequests(world), definition, served, object);
      const { namespace = "", name = "" } = object.metadata ?? {};
      const title = titleOf({ kind: names.kind, namespace, name });
      if (problem) return { invariant: ofUpgrade.stored, message: `${title} ${problem}` };
    }
  }
  return undefined;
}

async function problemOf(
  requests: QuietRequests,
  definition: CRD,
  served: readonly Version[],
  stored: KubernetesObject,
): Promise<string | undefined> {
  const own = versionOf(stored);
  const objects: KubernetesObject[] = [];
  for (const { name: version } of served) {
    let object: KubernetesObject;
    try {
      object = await requests.read(definition, version, stored);
    } catch (error) {
      return `can't be read in ${version}: ${errorText(error)}`;
    }
    const lost = version === own ? lostOf(stored, object) : undefined;
    if (lost) return `has lost a field in ${version}: ${pathText(lost.steps)}`;
    objects.push(object);
  }
  const [first] = objects;
  const changed = first && (await roundTrip(requests, definition, served, first));
  if (changed !== undefined) return changed;
  for (const [index, object] of objects.entries()) {
    const problem = await updateProblem(requests, definition, served[index] as Version, object);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function updateProblem(
  requests: QuietRequests,
  definition: CRD,
  version: Version,
  object: KubernetesObject,
): Promise<string | undefined> {
  const { name, subresources } = version;
  // The server accepts an invalid value as long as nothing near it changes, so users can't change its neighbors.
  const { group, names } = definition.spec;
  const model = customVersion(group, names.kind, definition.spec as never, version as never);
  const [invalid] = validateCustomResource(model, object as never);
  if (invalid) return `isn't valid in ${name}: ${fieldErrorMessage(invalid)}`;
  for (const subresource of subresources?.status ? ["", "/status"] : [""]) {
    let updated: KubernetesObject;
    try {
      updated = await requests.update(definition, name, object, subresource);
    } catch (error) {
      const what = subresource === "" ? "an update" : "an update of the status";
      return `can't be changed: the server rejects ${what} without changes in ${name}: ${errorText(error)}`;
    }
    const [changed] = fieldDifferences(object, updated);
    if (changed) return `is changed by an update without changes in ${name}: ${changeText(changed)}`;
  }
  return undefined;
}

/** Checks that a conversion to each version and back keeps everything. */
async function roundTrip(
  requests: QuietRequests,
  definition: CRD,
  served: readonly Version[],
  first: KubernetesObject,
): Promise<string | undefined> {
  const version = versionOf(first);
  for (const { name: other } of served) {
    if (other === version) continue;
    const back = await requests.convert(definition, first, other);
    const [changed] = fieldDifferences(first, back);
    if (changed) return `is changed by a conversion from ${version} to ${other} and back: ${changeText(changed)}`;
  }
  return undefined;
}

function lostOf(stored: KubernetesObject, object: KubernetesObject): FieldDifference | undefined {
  return fieldDifferences(stored, object).find(({ before, after }) => before !== undefined && after === undefined);
}

function versionOf({ apiVersion = "" }: KubernetesObject): string {
  return apiVersion.split("/").at(-1) as string;
}

function changeText({ steps, before, after }: FieldDifference): string {
  return `${pathText(steps)}: ${JSON.stringify(before) ?? "none"} → ${JSON.stringify(after) ?? "none"}`;
}
