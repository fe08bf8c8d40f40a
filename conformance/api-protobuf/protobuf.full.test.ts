// Responses and watches in protobuf and JSON must have the same status, media type and content as those of
// kube-apiserver.
import { Agent, request } from "node:https";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { Config } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { eventually } from "@kubewright/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeProtobuf } from "../../packages/apiserver/src/builtin/codec/protobuf.ts";
import { structOfApiVersion } from "../../packages/apiserver/src/builtin/resources.ts";

const protobuf = "application/vnd.kubernetes.protobuf";
const partial = "as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const partialList = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const core = "/api/v1/namespaces/default";
const maps = `${core}/configmaps`;
const gizmos = "/apis/example.com/v1/gizmos";

interface Answer {
  status: number;
  type: string;
  /** The body, or the events of a watch. */
  content: Json;
}

const environments = (["binaries", "embedded"] as const).map((engine) => new TestEnvironment({ engine }));
const servers: Server[] = [];

/** A server. Its responses are decoded, and values that depend on the server are replaced. */
class Server {
  readonly #host: string;
  readonly #agent: Agent;

  constructor({ host, ca, cert, key }: Config) {
    this.#host = host;
    this.#agent = new Agent({
      keepAlive: true,
      ...(ca ? { ca } : {}),
      ...(cert ? { cert } : {}),
      ...(key ? { key } : {}),
    });
  }

  /** @param until - the type of the event after which a watch is closed */
  send(method: string, path: string, accept: string, body?: JsonObject, until?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { accept, "content-type": "application/json" };
      const sent = request(`${this.#host}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let bytes = Buffer.alloc(0);
        const type = response.headers["content-type"] ?? "";
        const finish = (): void => {
          // A watch doesn't end by itself.
          if (until !== undefined) sent.destroy();
          try {
            const content = comparable(decoded(type, bytes));
            resolve({ status: response.statusCode ?? 0, type, content: eventsUntil(until, content) });
          } catch (error) {
            reject(new Error(`${type}: ${bytes.toString("latin1").slice(0, 200)}`, { cause: error }));
          }
        };
        response.on("data", (chunk: Buffer) => {
          bytes = Buffer.concat([bytes, chunk]);
          // The rest of the event may be in the next chunk.
          if (until !== undefined && bytes.includes(until)) setTimeout(finish, 100);
        });
        response.on("end", finish);
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** Drops what follows the last event of interest: a server can send a bookmark at any time. */
function eventsUntil(type: string | undefined, content: Json): Json {
  if (type === undefined) return content;
  const events = Array.isArray(content) ? content : [content];
  const last = events.findIndex((event) => JSON.stringify(event).includes(type));
  return last < 0 ? events : events.slice(0, last + 1);
}

function decoded(type: string, bytes: Buffer): Json {
  const text = bytes.toString();
  if (type === `${protobuf};stream=watch`) return frames(bytes);
  if (type === protobuf) return decodeProtobuf(bytes, structOfApiVersion);
  if (type !== "application/json") return text;
  // Errors are printed with an indentation if nothing else is accepted.
  if (text.startsWith("{\n") || !text.includes("\n{")) return JSON.parse(text) as Json;
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Json]));
}

/** Decodes the events of a watch: each is a WatchEvent after its length in four bytes. */
function frames(bytes: Buffer): Json[] {
  const events: Json[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const reader = new BinaryReader(bytes.subarray(at + 4, at + 4 + length));
    const event: JsonObject = {};
    while (reader.pos < reader.len) {
      const [number] = reader.tag();
      if (number === 1) event.type = reader.string();
      else {
        const object = new BinaryReader(reader.bytes());
        object.tag();
        event.object = decodeProtobuf(object.bytes(), structOfApiVersion);
      }
    }
    events.push(event);
    at += 4 + length;
  }
  return events;
}

const replaced = [
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "time",
  "continue",
  "clusterIP",
  "clusterIPs",
  "lastTransitionTime",
];

/** Replaces values that depend on the server. Protobuf doesn't distinguish an empty value from an absent one. */
function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    if (part === undefined || part === "" || part === null || part === 0 || part === false) return [];
    return [[name, replaced.includes(name) ? `some ${name}` : comparable(part)]];
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function both(send: (server: Server) => Promise<Answer>): Promise<Answer> {
  const [real, own] = await Promise.all(servers.map(send));
  expect(own).toEqual(real);
  return own as Answer;
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gizmos.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "gizmos", singular: "gizmo", kind: "Gizmo", listKind: "GizmoList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", labels: { set: "one" } },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: { containers: [{ name: "a", image: "a", resources: { requests: { cpu: "100m" } } }] },
    },
  },
};
const objects: [string, JsonObject][] = [
  [maps, { metadata: { name: "a", labels: { set: "one" } }, data: { key: "value" }, binaryData: { bytes: "AAEC" } }],
  [`${core}/services`, { metadata: { name: "a" }, spec: { ports: [{ port: 80, targetPort: "http" }] } }],
  ["/apis/apps/v1/namespaces/default/deployments", deployment],
  ["/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition],
];

beforeAll(async () => {
  for (const environment of environments) servers.push(new Server(await environment.start()));
  for (const server of servers) {
    for (const [path, object] of objects) await server.send("POST", path, "application/json", object);
    const gizmo = { apiVersion: "example.com/v1", kind: "Gizmo", metadata: { name: "a" } };
    await eventually(async () => {
      expect((await server.send("POST", gizmos, "application/json", gizmo)).status).toBe(201);
    });
  }
});

afterAll(async () => {
  for (const environment of environments) await environment.stop();
});

describe("responses", () => {
  const accepts = [
    protobuf,
    `${protobuf};${partial}`,
    `${protobuf};${partialList}`,
    `${protobuf};as=Table;g=meta.k8s.io;v=v1`,
    `${protobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1`,
    `${protobuf},application/json`,
    `${protobuf};stream=watch`,
    "application/json",
    `application/json;${partial}`,
  ];
  const paths = [
    ...objects.flatMap(([path]) => (path === maps ? [`${path}/a`, `${path}?labelSelector=set=one`] : [`${path}/a`])),
    `${maps}/absent`,
    gizmos,
    `${gizmos}/a`,
    `${gizmos}/absent`,
    "/api/v1",
    "/apis/example.com",
  ];
  it.each(paths.flatMap((path) => accepts.map((accept) => [path, accept] as const)))(
    "%s with Accept: %s",
    async (path, accept) => {
      await both((server) => server.send("GET", path, accept));
    },
  );

  it("to creations and deletions equal kube-apiserver's", async () => {
    const object = { metadata: { name: "short" } };
    expect((await both((server) => server.send("POST", maps, protobuf, object))).status).toBe(201);
    await both((server) => server.send("POST", maps, protobuf, object));
    await both((server) => server.send("DELETE", `${maps}/short`, protobuf));
    await both((server) => server.send("DELETE", `${maps}/short`, protobuf));
  });
});

describe("watches", () => {
  const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const kinds = [
    `${maps}?fieldSelector=metadata.name=a&`,
    `${core}/services?fieldSelector=metadata.name=a&`,
    `${core}/pods?`,
    `${core}/secrets?`,
    "/apis/apps/v1/namespaces/default/deployments?",
    "/apis/batch/v1/jobs?",
    "/apis/coordination.k8s.io/v1/leases?fieldSelector=metadata.namespace=default&",
    "/apis/rbac.authorization.k8s.io/v1/roles?fieldSelector=metadata.namespace=default&",
    "/apis/networking.k8s.io/v1/ingresses?",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?",
    `${gizmos}?`,
  ];
  const accepts = [
    protobuf,
    `${protobuf};stream=watch`,
    `${protobuf};${partial}`,
    `application/json;${partial}`,
    "application/json",
    `${protobuf},application/json`,
    `${protobuf};as=Table;g=meta.k8s.io;v=v1`,
  ];
  it.each(kinds.flatMap((path) => accepts.map((accept) => [path, accept] as const)))(
    "%s with Accept: %s",
    async (path, accept) => {
      const url = `${path}watch=true&timeoutSeconds=5&${initial}`;
      await both((server) => server.send("GET", url, accept, undefined, "initial-events-end"));
    },
  );

  it("send the same changes as kube-apiserver", async () => {
    const answer = await both(async (server) => {
      const url = `${maps}?watch=true&resourceVersion=0&labelSelector=watched`;
      const watch = server.send("GET", url, protobuf, undefined, "DELETED");
      await new Promise((resolve) => setTimeout(resolve, 500));
      const labels = { watched: "true" };
      await server.send("POST", maps, protobuf, { metadata: { name: "watched", labels } });
      await server.send("PUT", `${maps}/watched`, protobuf, {
        metadata: { name: "watched", labels },
        data: { a: "b" },
      });
      await server.send("DELETE", `${maps}/watched`, protobuf);
      return watch;
    });
    expect((answer.content as JsonObject[]).map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
  });
});
