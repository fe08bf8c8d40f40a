import { decodeJson, encodeJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { splitApiVersion } from "@kubewright/cel/validation";
import type { Core } from "../engine/engine.ts";
import { timestamp, uuid } from "../model/metadata.ts";
import type { UserInfo } from "../model/request.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { objectKey, storedText } from "../registry/scope.ts";

const user: UserInfo = { name: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/**
 * Installs a definition, or replaces the one of this name, and serves its resource.
 *
 * @param core - the server
 * @param definition - the definition
 * @throws Error with the server's message if it refuses the definition or doesn't accept its names
 */
export async function installDefinition(core: Core, definition: JsonObject): Promise<void> {
  const name = String((definition.metadata as JsonObject | undefined)?.name ?? "");
  const send = async (method: string, path: string, body?: JsonObject) => {
    const headers = { "content-type": "application/json", "user-agent": "kubewright-apiserver" };
    const content = body === undefined ? {} : { body: encodeJson(body) };
    const answer = await core.handle({ method, url: path, headers, user, ...content });
    return { status: answer.status, body: decodeJson(String(answer.body)).value as JsonObject };
  };
  const path = `${definitionsPath}/${encodeURIComponent(name)}`;
  let answer = await send("POST", definitionsPath, definition);
  if (answer.status === 409) {
    const { metadata } = (await send("GET", path)).body;
    const { resourceVersion = null } = isObject(metadata) ? metadata : {};
    const next = { ...definition, metadata: { ...(definition.metadata as JsonObject), resourceVersion } };
    answer = await send("PUT", path, next);
  }
  if (answer.status >= 400) throw new Error(`CustomResourceDefinition ${name}: ${String(answer.body.message)}`);
  await core.definitions.establish(name);
  const status = (await send("GET", path)).body.status as {
    conditions?: { type: string; status: string; message: string }[];
  };
  const refused = status.conditions?.find(({ type }) => type === "NamesAccepted");
  if (refused?.status === "False") throw new Error(`CustomResourceDefinition ${name}: ${refused.message}`);
}

/**
 * Stores an object as it is, including its status, without admission and validation. Missing metadata is added.
 *
 * @param core - the server
 * @param given - the object
 * @throws Error if the kind isn't served or the object can't be decoded
 */
export async function storeObject({ engine }: Core, given: JsonObject): Promise<void> {
  const metadata = isObject(given.metadata) ? given.metadata : {};
  const what = `objects: ${String(given.kind)} ${JSON.stringify(metadata.name ?? "")}`;
  const [group, version] = splitApiVersion(String(given.apiVersion));
  const type = [...engine.resources()].find(
    (resource) => resource.group === group && resource.kind === given.kind && resource.versions.has(version),
  );
  if (type === undefined)
    throw new Error(`${what}: the server has no kind ${String(given.kind)} in ${String(given.apiVersion)}`);
  if (typeof metadata.name !== "string" || metadata.name === "") throw new Error(`${what}: metadata.name is required`);
  if (type.namespaced && !metadata.namespace) throw new Error(`${what}: metadata.namespace is required`);
  const object = await decodeStored(type, version, given, what);
  const own = object.metadata;
  if (!type.namespaced) delete own.namespace;
  own.uid ||= uuid(engine.random);
  own.creationTimestamp ||= timestamp(engine.now());
  type.strategy.reclaim?.(object);
  const key = objectKey(type, own.namespace ?? "", own.name as string);
  engine.store.put(engine.store.collection(type.collection), key, (revision) => {
    own.resourceVersion = String(revision);
    return storedText(type, object);
  });
}

async function decodeStored(type: ResourceType, version: string, given: JsonObject, what: string): Promise<ApiObject> {
  const served = type.versions.get(version);
  try {
    const decoded = served?.codec.decode(given as Json).object as ApiObject;
    const object = await type.convert(decoded, type.storageVersion);
    return type.versions.get(type.storageVersion)?.codec.stored?.(object) ?? object;
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
