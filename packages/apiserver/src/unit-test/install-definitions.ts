import { encodeJson, type JsonObject } from "@kubewright/cel/json";
import type { Definitions } from "../custom-resources/definitions.ts";
import { timestamp, uuid } from "../model/metadata.ts";
import type { Answer, ApiRequest } from "../model/request.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import { type Engine, parseStored, storedText } from "../registry/scope.ts";

/** A definition as another server has stored it, and the resource that it describes. */
interface Installed {
  definition: ApiObject;
  type: ResourceType | undefined;
}

/** The number of sets of definitions whose resources are kept. */
const rememberedSets = 50;
const remembered = new Map<string, Installed[]>();

/**
 * Creates definitions, and serves their resources. Each test has a server of its own, mostly with the same definitions:
 * they are checked and compiled only once.
 *
 * @param engine - the server
 * @param definitions - serves the resources
 * @param handle - answers requests
 * @param crds - the definitions
 * @throws StatusError if the server refuses a definition
 */
export async function installDefinitions(
  engine: Engine,
  definitions: Definitions,
  handle: (request: ApiRequest) => Promise<Answer>,
  crds: readonly JsonObject[],
): Promise<void> {
  if (crds.length === 0) return;
  const set = encodeJson([...crds]);
  const cached = remembered.get(set);
  const definitionType = engine.resource("apiextensions.k8s.io", "customresourcedefinitions") as ResourceType;
  const collection = engine.store.collection(definitionType.collection);
  if (cached !== undefined) {
    for (const { definition, type } of cached) {
      const { metadata } = definition;
      const own = { ...metadata, uid: uuid(engine.random), creationTimestamp: timestamp(engine.now()) };
      const text = storedText(definitionType, { ...definition, metadata: own });
      engine.store.load([{ collection, key: metadata.name as string, text }], Number(metadata.resourceVersion));
      if (type !== undefined) definitions.adopt(type);
    }
    return;
  }
  const names: string[] = [];
  for (const crd of crds) {
    await create(handle, crd);
    names.push((crd.metadata as JsonObject).name as string);
    await definitions.establish(names.at(-1) as string);
  }
  const installed = names.map((name): Installed => {
    const definition = parseStored(definitionType, collection.get(name)?.text as string);
    const { group, names: accepted } = definition.spec as { group: string; names: { plural: string } };
    return { definition, type: definitions.resource(group, accepted.plural) };
  });
  if (remembered.size >= rememberedSets) remembered.clear();
  remembered.set(set, installed);
}

async function create(handle: (request: ApiRequest) => Promise<Answer>, crd: JsonObject): Promise<void> {
  const answer = await handle({
    method: "POST",
    url: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    headers: { "content-type": "application/json" },
    body: encodeJson(crd),
  });
  if (answer.status < 400) return;
  const { code, reason, message, details } = JSON.parse(String(answer.body)) as JsonObject;
  throw new StatusError(code as number, reason as string, message as string, details as JsonObject);
}
