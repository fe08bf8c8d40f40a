import type { Json, JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

// All parts of the server share the parsed form of a stored state, so a write must not change that of the state before.
const metadata = { name: "a", namespace: "default", finalizers: ["example.com/cleanup"] };
const container = { name: "c", image: "i" };
const podTemplate = { metadata: { labels: { app: "a" } }, spec: { containers: [container] } };

const objects: readonly [path: string, object: JsonObject][] = [
  ["/api/v1/namespaces/default/pods", { apiVersion: "v1", kind: "Pod", metadata, spec: podTemplate.spec }],
  [
    "/apis/apps/v1/namespaces/default/deployments",
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { selector: { matchLabels: { app: "a" } }, template: podTemplate },
    },
  ],
  [
    "/api/v1/namespaces/default/services",
    { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 1 }] } },
  ],
  ["/apis/example.com/v1/namespaces/default/games", { apiVersion: "example.com/v1", kind: "Game", metadata, spec: {} }],
];

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "games", singular: "game", kind: "Game", listKind: "GameList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

describe("the stored state before a write isn't changed by the write", () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await startApiServer({ http: false, authorization: "always-allow", crds: [definition] });
  });
  afterAll(() => api.stop());

  async function send(method: string, url: string, body?: Json, type = "application/json"): Promise<JsonObject> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await api.handle({ method, url, headers: { "content-type": type }, ...text });
    expect(answer.status, String(answer.body)).toBeLessThan(300);
    return JSON.parse(String(answer.body)) as JsonObject;
  }

  it.each(objects)("of %s", async (path, object) => {
    const written: string[] = [];
    const problems: string[] = [];
    const unlikeText: unknown[] = [];
    const stop = api.observation.onWrite(({ before, after, name, group, kind, namespace }) => {
      const parsed = api.observation.object(group, kind, namespace, name);
      if (JSON.stringify(after) !== JSON.stringify(parsed)) unlikeText.push({ after, parsed });
      if (name !== "a") return;
      if (before) problems.push(JSON.stringify(before));
      if (after) written.push(JSON.stringify(after));
    });
    const merge = "application/merge-patch+json";
    const objectPath = `${path}/a`;
    await send("POST", path, object);
    const labeled = await send("GET", objectPath);
    await send("PUT", objectPath, {
      ...labeled,
      metadata: { ...(labeled.metadata as JsonObject), labels: { x: "y" } },
    });
    await send("PATCH", objectPath, { metadata: { annotations: { x: "y" } } }, merge);
    await send("PATCH", `${objectPath}/status`, { status: { conditions: [{ type: "T", status: "True" }] } }, merge);
    await send("DELETE", `${objectPath}?gracePeriodSeconds=0`);
    await send("PATCH", objectPath, { metadata: { finalizers: null } }, merge);
    stop();
    expect(written.length).toBeGreaterThanOrEqual(5);
    expect(problems).toEqual(written);
    // The state isn't parsed from the text of the write, but must be the same, also in the order of its keys.
    expect(unlikeText).toEqual([]);
  });
});
