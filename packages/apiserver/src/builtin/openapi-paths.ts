import type { Json, JsonObject } from "@kubewright/cel/json";
import { dataFile } from "../data/data.ts";
import { type KubernetesVersion, newestVersion } from "../data/versions.ts";

interface Operation extends JsonObject {
  parameters?: number[];
  body: number;
  models: string[];
}

interface Paths {
  parameters: JsonObject[];
  /** Request bodies with responses. `%0` stands for the first model of an operation. */
  bodies: JsonObject[];
  /** The kinds of models that belong to all groups. */
  kinds: Record<string, JsonObject[]>;
  documents: Record<string, Record<string, { parameters?: number[]; operations: Record<string, Operation> }>>;
}

const paths = dataFile<Paths>("paths.json");

/** Returns the kinds of a model that belongs to all groups; undefined for other models. */
export function sharedKinds(model: string, kubernetes: KubernetesVersion): JsonObject[] | undefined {
  return paths(kubernetes).kinds[model];
}

/** Returns the paths of all documents of built-in kinds. */
export function documentPaths(kubernetes: KubernetesVersion): string[] {
  return Object.keys(paths(kubernetes).documents);
}

/**
 * Returns the operations of a document of built-in kinds, in the form of OpenAPI v3.
 *
 * @param path - the path of the document, such as `apis/apps/v1`
 * @param kubernetes - the version of Kubernetes
 * @returns the operations by path and method
 */
export function documentOperations(path: string, kubernetes: KubernetesVersion): JsonObject {
  const { documents, parameters, bodies } = paths(kubernetes);
  const parametersOf = (numbers: readonly number[] | undefined): JsonObject =>
    numbers === undefined ? {} : { parameters: numbers.map((number) => parameters[number] as JsonObject) };
  const items = Object.entries(documents[path] ?? {}).map(([name, item]): [string, JsonObject] => {
    const operations = Object.entries(item.operations).map(([method, operation]): [string, JsonObject] => {
      const { parameters: own, body, models, ...rest } = operation;
      const content = withModels(bodies[body] as JsonObject, models) as JsonObject;
      return [method, { ...rest, ...parametersOf(own), ...content }];
    });
    return [name, { ...Object.fromEntries(operations), ...parametersOf(item.parameters) }];
  });
  return Object.fromEntries(items);
}

/**
 * Finds the parameter that an operation of built-in kinds has, for operations of custom resources.
 *
 * @param name - the name of the parameter
 * @param method - the method of the operation; undefined for a parameter of the path
 * @returns the parameter
 */
export function parameterOf(name: string, method?: string): JsonObject {
  const item =
    paths(newestVersion).documents["apis/apps/v1"]?.["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
  const collection =
    paths(newestVersion).documents["apis/apps/v1"]?.["/apis/apps/v1/namespaces/{namespace}/deployments"];
  const numbers = [
    ...(method === undefined ? [] : (item?.operations[method]?.parameters ?? [])),
    ...(method === undefined ? [] : (collection?.operations[method]?.parameters ?? [])),
    ...(item?.parameters ?? []),
  ];
  const all = numbers.map((number) => paths(newestVersion).parameters[number] as JsonObject);
  return all.find((one) => one.name === name) as JsonObject;
}

function withModels(value: Json, models: readonly string[]): Json {
  if (typeof value === "string" && /^%\d+$/.test(value)) {
    return `#/components/schemas/${models[Number(value.slice(1))]}`;
  }
  if (Array.isArray(value)) return value.map((item) => withModels(item, models));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withModels(item as Json, models)]));
}
