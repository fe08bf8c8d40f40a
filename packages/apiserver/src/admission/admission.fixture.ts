import { cloneJson, type Json, type JsonObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../model/admission.ts";
import type { ApiObject, ResourceType, ServedVersion } from "../model/resource.ts";
import { Store } from "../storage/store.ts";

/** Creates a resource. Its codec keeps all fields, and conversion changes only the version. */
export function resourceType(
  group: string,
  resource: string,
  kind: string,
  options: {
    versions?: string[];
    namespaced?: boolean;
    custom?: boolean;
    subresources?: ServedVersion["subresources"];
  } = {},
): ResourceType {
  const { versions = ["v1"], namespaced = true, custom = false, subresources = new Map() } = options;
  const apiVersion = (version: string): string => (group === "" ? version : `${group}/${version}`);
  const served = (version: string): ServedVersion => ({
    version,
    verbs: [],
    subresources,
    codec: {
      decode: (value: Json) => {
        const object = value as ApiObject;
        if (typeof object.data === "number") {
          throw new Error(`json: cannot unmarshal number into Go struct field ${kind}.data of type map[string]string`);
        }
        return { object, strict: [] };
      },
    },
    encodings: ["json"],
    schema: undefined,
    printer: { columns: [], cells: () => [] },
    fields: {},
  });
  return {
    group,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    namespaced,
    versions: new Map(versions.map((version) => [version, served(version)])),
    storageVersion: versions[0] as string,
    collection: group === "" ? resource : `${resource}.${group}`,
    strategy: {},
    custom,
    convert: (object, version) => ({ ...object, apiVersion: apiVersion(version) }),
  };
}

export const configMaps: ResourceType = resourceType("", "configmaps", "ConfigMap");

/** Creates a store with namespaces. */
export function storeWith(...namespaces: { name: string; labels?: Record<string, string>; phase?: string }[]): Store {
  const store = new Store({ now: () => 0 });
  for (const { name, labels = {}, phase = "Active" } of namespaces) {
    put(store, "namespaces", name, { metadata: { name, labels }, status: { phase } });
  }
  return store;
}

/** Stores an object. */
export function put(store: Store, collection: string, key: string, object: JsonObject): void {
  store.put(store.collection(collection), key, () => JSON.stringify(object));
}

/** Creates the attributes of a request, and a list of its warnings. */
export function attributesOf(
  changes: Partial<AdmissionAttributes> & { type?: ResourceType },
): AdmissionAttributes & { warnings: string[] } {
  const type = changes.type ?? configMaps;
  const warnings: string[] = [];
  const object = changes.object;
  return {
    operation: "CREATE",
    type,
    version: type.versions.values().next().value as ServedVersion,
    subresource: "",
    namespace: "ns",
    name: object?.metadata.name ?? changes.oldObject?.metadata.name ?? "",
    oldObject: undefined,
    options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    dryRun: false,
    user: { name: "admin", uid: "admin", groups: ["system:masters", "system:authenticated"] },
    timeLeft: () => Number.POSITIVE_INFINITY,
    warn: (message) => warnings.push(message),
    warnings,
    ...changes,
    object: object && cloneJson(object),
  };
}

/** Creates a config map. */
export function configMap(name: string, data: JsonObject = { a: "b" }, labels?: Record<string, string>): ApiObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "ns", ...(labels ? { labels } : {}) },
    data,
  };
}
