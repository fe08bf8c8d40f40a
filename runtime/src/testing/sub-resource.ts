import type { KubernetesObject } from "../api/index.ts";
import type { ApplyOptions, SubResourceClient, WriteOptions } from "../client/client.ts";
import { namedAfter } from "../client/object-key.ts";
import type { Patch } from "../client/patch.ts";
import { kindOf } from "../client/resource.ts";
import { ApiError } from "../errors/api-error.ts";
import type { FakeServer } from "./fake-server.ts";
import type { ScalePaths } from "./kinds.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { type Scale, scaleOf, withReplicas } from "./scale.ts";

/** Creates a client of a subresource: `status`, `scale`, or `eviction` of Pods. Other subresources reject with 404. */
export function fakeSubResource(server: FakeServer, name: string): SubResourceClient {
  const none = (verb: string, object: KubernetesObject): never => {
    const message = `the server could not find the requested resource: fakeClient has no ${verb} on ${object.kind}/${name}`;
    throw ApiError.create(404, "NotFound", message);
  };
  const client = known.get(name)?.(server) ?? {};
  return {
    get: async (object) => (client.get?.(object) ?? none("get", object)) as never,
    create: async (object, body) =>
      (client.create?.(object, namedAfter(object, body)) ?? none("create", object)) as never,
    update: async (object, body, options) =>
      (client.update?.(object, namedAfter(object, body ?? object), options) ?? none("update", object)) as never,
    patch: async (object, patch, options) => (client.patch?.(object, patch, options) ?? none("patch", object)) as never,
    apply: async (object, body, options) =>
      (client.apply?.(namedAfter(object, body), options) ?? none("apply", object)) as never,
    // biome-ignore lint/correctness/useYield: there are no lines
    lines: async function* (object) {
      none("lines", object);
    },
  };
}

interface Answers {
  get(object: KubernetesObject): KubernetesObject;
  create(object: KubernetesObject, body: KubernetesObject): KubernetesObject;
  update(object: KubernetesObject, body: KubernetesObject, options?: WriteOptions): KubernetesObject;
  patch(object: KubernetesObject, patch: Patch, options?: WriteOptions): KubernetesObject;
  apply(body: KubernetesObject, options: ApplyOptions): KubernetesObject;
}

function keyOf({ metadata }: KubernetesObject): { namespace?: string; name: string } {
  return { namespace: metadata?.namespace, name: metadata?.name ?? "" };
}

function status(server: FakeServer): Partial<Answers> {
  return {
    get: (object) => server.get(kindOf(object), keyOf(object)),
    update: (object, body, options) => server.update(kindOf(object), body, "status", options),
    patch: (object, patch, options) => server.patch(kindOf(object), object, patch, "status", options),
    apply: (body, options) => server.apply(kindOf(body), body, "status", options),
  };
}

function scale(server: FakeServer): Partial<Answers> {
  const paths = (object: KubernetesObject): ScalePaths => {
    const found = server.kinds.scale(kindOf(object));
    if (found) return found;
    const message = `the server could not find the requested resource: ${object.kind} has no scale subresource here`;
    throw ApiError.create(404, "NotFound", message);
  };
  const write = (object: KubernetesObject, wanted: Scale, options?: WriteOptions): Scale => {
    const stored = server.get(kindOf(object), keyOf(object));
    const next = withReplicas(stored, paths(object), wanted);
    const resourceVersion = wanted.metadata?.resourceVersion ?? stored.metadata.resourceVersion;
    next.metadata = { ...next.metadata, resourceVersion };
    return scaleOf(server.update(kindOf(object), next, "object", options), paths(object));
  };
  const get = (object: KubernetesObject): Scale => scaleOf(server.get(kindOf(object), keyOf(object)), paths(object));
  return {
    get,
    update: (object, body, options) => write(object, body as Scale, options),
    patch: (object, patch, options) => {
      if (patch.type !== "application/merge-patch+json") {
        throw ApiError.create(415, "UnsupportedMediaType", "fakeClient takes merge patches on scale");
      }
      return write(object, applyMergePatch(get(object), patch.data(object)) as Scale, options);
    },
  };
}

function eviction(server: FakeServer): Partial<Answers> {
  return {
    create: (object, body) => {
      const id = kindOf(object);
      if (id.group !== "" || id.kind !== "Pod") {
        throw ApiError.create(
          404,
          "NotFound",
          `the server could not find the requested resource: no eviction of ${id.kind}`,
        );
      }
      server.delete(id, keyOf(object));
      return { ...body };
    },
  };
}

const known: ReadonlyMap<string, (server: FakeServer) => Partial<Answers>> = new Map([
  ["status", status],
  ["scale", scale],
  ["eviction", eviction],
]);
