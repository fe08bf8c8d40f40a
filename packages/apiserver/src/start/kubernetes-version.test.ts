import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVersion } from "../data/versions.ts";
import { type ApiServer, type KubernetesVersion, startApiServer } from "../index.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
type Client = (method: string, url: string, body?: JsonObject | string, type?: string) => Promise<any>;

const servers: ApiServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function start(kubernetesVersion: KubernetesVersion): Promise<Client> {
  const server = await startApiServer({ http: false, authorization: "always-allow", kubernetesVersion });
  servers.push(server);
  return async (method, url, body, type = "application/json") => {
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await server.handle({ method, url, headers: { "content-type": type }, ...sent });
    const text = String(answer.body);
    return { ...(text.startsWith("{") ? JSON.parse(text) : {}), answered: answer.status };
  };
}

const migrations = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
const statefulSets = "/apis/apps/v1/namespaces/default/statefulsets";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } };
const set = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
  },
};

describe.each([
  { version: "1.37" as const, gitVersion: "v1.37.2", served: 200, rollingUpdate: { partition: 0, maxUnavailable: 2 } },
  { version: "1.36" as const, gitVersion: "v1.36.3", served: 404, rollingUpdate: { partition: 0 } },
])("a server of Kubernetes $version", ({ version, gitVersion, served, rollingUpdate }) => {
  let send: Client;
  beforeAll(async () => {
    send = await start(version);
  });

  it("names the release that it behaves like", async () => {
    expect(await send("GET", "/version")).toMatchObject({ gitVersion });
  });

  it("serves only the kinds of that version", async () => {
    expect((await send("GET", migrations)).answered).toBe(served);
    const { groups } = await send("GET", "/apis");
    const names = groups.map(({ name }: JsonObject) => name);
    expect(names.includes("storagemigration.k8s.io")).toBe(served === 200);
  });

  it("keeps only the fields whose features that version has on", async () => {
    const { spec } = await send("POST", statefulSets, set);
    expect(spec.updateStrategy.rollingUpdate).toEqual(rollingUpdate);
  });

  it("has only the fields of that version in its OpenAPI document", async () => {
    const { components } = await send("GET", "/openapi/v3/api/v1");
    const { properties } = components.schemas["io.k8s.api.core.v1.PersistentVolumeClaimStatus"];
    expect("healthStatus" in properties).toBe(served === 200);
  });
});

describe("patches", () => {
  const url = "/api/v1/namespaces/default/pods";
  let send: Client;
  beforeAll(async () => {
    send = await start("1.37");
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: template.spec };
    await send("POST", url, pod);
  });

  it("must be JSON, whatever they change", async () => {
    for (const type of ["application/json-patch+json", "application/merge-patch+json"]) {
      expect(await send("PATCH", `${url}/missing`, "{", type)).toMatchObject({
        code: 400,
        message: "invalid JSON patch",
      });
    }
  });

  it("that are applied must be YAML", async () => {
    const type = "application/apply-patch+yaml";
    const { message } = await send("PATCH", `${url}/a?fieldManager=m`, "a: b: c", type);
    expect(message).toBe("error encoding patch: yaml: mapping values are not allowed in this context");
  });

  it("can add quantities as texts", async () => {
    const patch = [{ op: "add", path: "/status/allocatedResources", value: { cpu: "300m", memory: "0.5Gi" } }];
    const { status } = await send("PATCH", `${url}/a/status`, JSON.stringify(patch), "application/json-patch+json");
    expect(status.allocatedResources).toEqual({ cpu: "300m", memory: "512Mi" });
  });
});

it("a version that the server can't serve is refused in one line", () => {
  expect(() => readVersion("1.35")).toThrow("invalid Kubernetes version 1.35: it must be 1.37 or 1.36");
  expect(readVersion(undefined)).toBe("1.37");
});
