import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { modelsOf } from "../builtin/models.ts";
import { documentOperations, documentPaths, sharedKinds } from "../builtin/openapi-paths.ts";
import { versionsOf } from "../crd/definition.ts";
import { publishedModels } from "../custom-resources/openapi.ts";
import { customResourcePaths } from "../custom-resources/openapi-paths.ts";
import type { KubernetesVersion } from "../data/versions.ts";
import { OpenApi } from "./openapi.ts";
import { type Version3Document, version2Document, version2Model } from "./version2.ts";

const modelPrefix = "#/components/schemas/";

/** A definition whose resource is served. */
type Definition = JsonObject;

/**
 * Creates the OpenAPI documents of the server.
 *
 * @param definitions - returns the established definitions, the same list until one changes
 * @param now - returns the time in milliseconds since the epoch
 * @param kubernetes - the version of Kubernetes
 * @returns the documents
 */
export function createOpenApi(
  definitions: () => readonly Definition[],
  now: () => number,
  kubernetes: KubernetesVersion,
): OpenApi {
  let seen: readonly Definition[] | undefined;
  let byPath = new Map<string, Definition[]>();
  let paths: readonly string[] = [];
  const refresh = (): void => {
    const current = definitions();
    if (current === seen) return;
    seen = current;
    byPath = definitionsByPath(current);
    paths = [...documentPaths(kubernetes), ...byPath.keys()].sort();
  };
  return new OpenApi({
    now,
    paths: () => {
      refresh();
      return paths;
    },
    v3: (path) => {
      refresh();
      const custom = byPath.get(path);
      return custom === undefined ? builtInDocument(path, kubernetes) : customDocument(path, custom, kubernetes);
    },
    v2: () => {
      refresh();
      return version2Document(
        [
          ...documentPaths(kubernetes).map((path) => builtInVersion2(path, kubernetes)),
          ...[...byPath].map(([path, one]) => customVersion2(path, one)),
        ],
        kubernetes,
      );
    },
  });
}

function definitionsByPath(definitions: readonly Definition[]): Map<string, Definition[]> {
  const byPath = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const { group } = definition.spec as { group: string };
    for (const { name, served } of versionsOf(definition)) {
      if (served !== true) continue;
      const path = `apis/${group}/${String(name)}`;
      byPath.set(path, [...(byPath.get(path) ?? []), definition]);
    }
  }
  return byPath;
}

function builtInDocument(path: string, kubernetes: KubernetesVersion): JsonObject {
  const models = modelsOf(path, kubernetes) ?? {};
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: kubernetes },
    paths: documentOperations(path, kubernetes),
    components: {
      ...(Object.keys(models).length === 0 ? {} : { schemas: models }),
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          description: "Bearer Token authentication",
          name: "authorization",
          in: "header",
        },
      },
    },
  };
}

/** Groups that client-go doesn't have, whose kinds documents of definitions don't name. */
const notOfClients = new Set([
  "admission.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "imagepolicy.k8s.io",
]);

/** Names all kinds of a model that belongs to all groups. */
function withKinds(
  name: string,
  model: JsonObject,
  kubernetes: KubernetesVersion,
  isNamed = (_kind: JsonObject) => true,
): JsonObject {
  const kinds = sharedKinds(name, kubernetes)?.filter(isNamed);
  return kinds === undefined ? model : { ...model, "x-kubernetes-group-version-kind": kinds };
}

function builtInVersion2(path: string, kubernetes: KubernetesVersion): Version3Document {
  const definitions = Object.entries(modelsOf(path, kubernetes) ?? {}).map(([name, model]): [string, JsonObject] => {
    return [name, withKinds(name, version2Model(model) as JsonObject, kubernetes)];
  });
  return { paths: documentOperations(path, kubernetes), definitions: Object.fromEntries(definitions) };
}

function operationsOf(definition: Definition, version: string): JsonObject {
  const spec = definition.spec as JsonObject & { names: Record<string, string>; group: string; scope: string };
  const served = versionsOf(definition).find(({ name }) => name === version);
  return customResourcePaths({
    group: spec.group,
    version,
    kind: spec.names.kind as string,
    plural: spec.names.plural as string,
    namespaced: spec.scope === "Namespaced",
    subresources: isObject(served?.subresources) ? Object.keys(served.subresources).sort() : [],
    models: publishedModels(definition, version, "v3"),
  });
}

function versionOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function customDocument(path: string, definitions: readonly Definition[], kubernetes: KubernetesVersion): JsonObject {
  const schemas: Record<string, JsonObject> = {};
  let paths: JsonObject = {};
  for (const definition of definitions) {
    Object.assign(schemas, publishedModels(definition, versionOf(path), "v3").models);
    paths = { ...paths, ...operationsOf(definition, versionOf(path)) };
  }
  addReferenced(schemas, [schemas, paths], kubernetes);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths,
    components: { schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

/** Adds the built-in models that are referred to. */
function addReferenced(schemas: Record<string, JsonObject>, from: Json[], kubernetes: KubernetesVersion): void {
  const models = { ...modelsOf("apis/apps/v1", kubernetes), ...modelsOf("apis/autoscaling/v1", kubernetes) };
  const pending = [...from];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") {
      const name = next.startsWith(modelPrefix) ? next.slice(modelPrefix.length) : "";
      const model = models[name];
      if (model === undefined || Object.hasOwn(schemas, name)) continue;
      schemas[name] = withKinds(name, model, kubernetes, ({ group }) => !notOfClients.has(group as string));
      pending.push(model);
    } else if (typeof next === "object" && next !== null) {
      for (const value of Object.values(next)) pending.push(value as Json);
    }
  }
}

function customVersion2(path: string, definitions: readonly Definition[]): Version3Document {
  const version = versionOf(path);
  return {
    paths: Object.assign({}, ...definitions.map((definition) => operationsOf(definition, version))),
    definitions: Object.fromEntries(
      definitions.flatMap((definition) =>
        Object.entries(publishedModels(definition, version, "v2").models).map(([name, model]) => [
          name,
          version2Model(model) as JsonObject,
        ]),
      ),
    ),
  };
}
