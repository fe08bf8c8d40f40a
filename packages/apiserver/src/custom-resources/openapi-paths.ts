import type { JsonObject } from "@kubewright/cel/json";
import { parameterOf } from "../builtin/openapi-paths.ts";
import type { PublishedModels } from "./openapi.ts";

/** A resource as its operations describe it. */
export interface PublishedResource {
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** The subresources, such as `status`. */
  subresources: readonly string[];
  models: PublishedModels;
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const scaleModel = "io.k8s.api.autoscaling.v1.Scale";
const bodyTypes = ["application/json", "application/yaml"];
const patchTypes = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];
const writeParameters = ["dryRun", "fieldManager", "fieldValidation"];
const listParameters = [
  ...["allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion"],
  ...["resourceVersionMatch", "sendInitialEvents", "shardSelector", "timeoutSeconds", "watch"],
];
const deleteParameters = [
  ...["dryRun", "gracePeriodSeconds", "ignoreStoreReadErrorWithClusterBreakingPotential", "orphanDependents"],
  "propagationPolicy",
];

const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const content = (model: string, types = bodyTypes): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: { $ref: `#/components/schemas/${model}` } }]));
const texts: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

/** Removes the characters that identifiers can't have, such as a digit at the start, and capitalizes what follows them. */
function identifier(text: string, capitalized: boolean): string {
  const joined = text.replace(/(?:^\p{Nd}|[^\p{L}\p{Nd}_])+(.?)/gu, (_, next: string) => next.toUpperCase());
  return capitalized ? title(joined) : joined;
}

/** Returns a kind with its article. Plurals have none. */
function withArticle(kind: string): string {
  if (kind.endsWith("s") && !kind.endsWith("ss")) return ` ${kind}`;
  return `${/^[aeiou]/i.test(kind) ? " an " : " a "}${kind}`;
}

/**
 * Returns the operations of a custom resource, in the form of OpenAPI v3.
 *
 * @param resource - the resource
 * @returns the operations by path and method
 */
export function customResourcePaths(resource: PublishedResource): JsonObject {
  const { group, version, kind, plural, namespaced, subresources, models } = resource;
  const shortGroup = group.replace(/\.k8s\.io$/, "");
  const prefix = `${identifier(shortGroup, true)}${identifier(version, true)}`;
  const tag = `${identifier(shortGroup, false)}_${identifier(version, false)}`;
  const idOf = (verb: string, text: string): string => `${verb}${prefix}${identifier(text, true)}`;
  const scoped = `${namespaced ? "Namespaced" : ""}${kind}`;
  const root = `/apis/${group}/${version}`;
  const gvk = { group, version, kind };
  const common = (method: string | undefined, names: readonly string[]) => ({
    parameters: names.map((name) =>
      name === "name"
        ? { ...parameterOf(name, method), description: `name of the ${kind}` }
        : parameterOf(name, method),
    ),
  });
  const operation = (
    action: string,
    id: string,
    description: string,
    model: string,
    codes: readonly number[],
    parameters: readonly string[],
    options: { method?: string; body?: JsonObject } = {},
  ): JsonObject => ({
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length === 0 ? {} : common(options.method ?? action, parameters)),
    ...(options.body === undefined ? {} : { requestBody: options.body }),
    responses: {
      ...Object.fromEntries(
        codes.map((code) => [code, { description: texts[code] as string, content: content(model) }]),
      ),
      401: { description: "Unauthorized" },
    },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": gvk,
  });
  const list = (id: string, parameters: readonly string[]): JsonObject =>
    operation("list", id, `list objects of kind ${kind}`, models.listName, [200], parameters, { method: "get" });
  const written = (model: string) => ({ required: true, content: content(model) });
  const patched = { required: true, content: content(`${meta}.Patch`, patchTypes) };
  const pathParameters = namespaced ? ["namespace", "pretty"] : ["pretty"];

  const collection = {
    get: list(idOf("list", scoped), listParameters),
    post: operation(
      "post",
      idOf("create", scoped),
      `create${withArticle(kind)}`,
      models.kindName,
      [200, 201, 202],
      writeParameters,
      { body: written(models.kindName) },
    ),
    delete: operation(
      "deletecollection",
      idOf("delete", `Collection${scoped}`),
      `delete collection of ${kind}`,
      `${meta}.Status`,
      [200],
      listParameters,
      { method: "get" },
    ),
    ...common(undefined, pathParameters),
  };
  const object = (sub: string): JsonObject => {
    const model = sub === "scale" ? scaleModel : models.kindName;
    const what = sub === "" ? `the specified ${kind}` : `${sub} of the specified ${kind}`;
    const name = `${scoped}${title(sub)}`;
    return {
      get: operation("get", idOf("read", name), `read ${what}`, model, [200], ["resourceVersion"]),
      put: operation("put", idOf("replace", name), `replace ${what}`, model, [200, 201], writeParameters, {
        body: written(model),
      }),
      ...(sub !== ""
        ? {}
        : {
            delete: operation(
              "delete",
              idOf("delete", name),
              `delete${withArticle(kind)}`,
              `${meta}.Status`,
              [200, 202],
              deleteParameters,
              { body: { content: content(`${meta}.DeleteOptions`) } },
            ),
          }),
      patch: operation(
        "patch",
        idOf("patch", name),
        `partially update ${what}`,
        model,
        [200],
        [...writeParameters, "force"],
        {
          body: patched,
        },
      ),
      ...common(undefined, ["name", ...pathParameters]),
    };
  };
  const base = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  return {
    [base]: collection,
    [`${base}/{name}`]: object(""),
    ...Object.fromEntries(subresources.map((sub) => [`${base}/{name}/${sub}`, object(sub)])),
    ...(namespaced
      ? {
          [`${root}/${plural}`]: {
            get: list(idOf("list", `${kind}ForAllNamespaces`), []),
            ...common("get", [...listParameters, "pretty"].sort()),
          },
        }
      : {}),
  };
}
