// The embedded server must assign, reject and free addresses and node ports of Services as the real server does.

import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { JsonObject } from "@kubewright/cel/json";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Send } from "./send.ts";
import { inProcess, overHttps } from "./servers.ts";

const environment = new TestEnvironment({ engine: "binaries" });
const services = "/api/v1/namespaces/default/services";
let server: ApiServer;
let real: Send;

beforeAll(async () => {
  real = overHttps(await environment.start());
  server = await startApiServer({ http: false });
});

afterAll(async () => {
  await server?.stop();
  await environment.stop();
});

type Write = [method: string, name: string, spec?: JsonObject, labels?: JsonObject];

const create = (name: string, spec: JsonObject, labels?: JsonObject): Write => ["POST", name, spec, labels];
const update = (name: string, spec: JsonObject): Write => ["PUT", name, spec];
const remove = (name: string): Write => ["DELETE", name];
const nodePort = (...ports: JsonObject[]): JsonObject => ({ type: "NodePort", ports });
const balanced = (spec: JsonObject): JsonObject => ({ type: "LoadBalancer", externalTrafficPolicy: "Local", ...spec });
const wrong = { sessionAffinity: "Other" };

const sequences: Record<string, Write[]> = {
  "addresses are assigned before anything else is checked, and freed when that fails": [
    create("a", { clusterIP: "10.0.0.5" }),
    create("b", { clusterIP: "10.0.0.5", ...wrong }),
    create("b", { clusterIP: "10.0.0.5" }, { "a b": "c" }),
    create("B_b", { clusterIP: "10.0.0.5" }),
    create("b", { clusterIP: "10.0.0.6", ...wrong }),
    create("b", { clusterIP: "10.0.0.6" }),
    update("a", { clusterIP: "10.0.0.6" }),
    update("a", { clusterIP: "10.0.0.7", ...wrong }),
    create("c", { clusterIP: "10.0.0.7" }),
  ],
  "an external name frees the address, which others can take": [
    create("a", { clusterIP: "10.0.0.6" }),
    update("a", { type: "ExternalName", externalName: "a.b", clusterIP: "10.0.0.6" }),
    update("a", { type: "ExternalName", externalName: "a.b" }),
    create("b", { clusterIP: "10.0.0.6" }),
    update("a", { clusterIP: "10.0.0.6" }),
    update("a", { clusterIP: "10.0.0.8", ...wrong }),
    update("a", { clusterIP: "10.0.0.8" }),
  ],
  "node ports": [
    create("a", nodePort({ port: 80, nodePort: 30005 })),
    create("b", { ...nodePort({ port: 80, nodePort: 30005 }), ...wrong }),
    create("b", { ...nodePort({ port: 80, nodePort: 99 }), ...wrong }),
    create("b", { ...nodePort({ port: 80, nodePort: 30007 }), ...wrong }),
    create("b", nodePort({ port: 80, nodePort: 30007 })),
    create("c", nodePort({ name: "a", port: 80, nodePort: 30008 }, { name: "b", port: 81, nodePort: 30008 })),
    create("d", nodePort({ name: "a", port: 80, nodePort: 30009 }, { name: "b", protocol: "UDP", port: 80 })),
    create("e", nodePort({ name: "a", port: 80, protocol: "UDP" }, { name: "b", port: 80, nodePort: 30010 })),
    update("a", nodePort({ port: 80, nodePort: 30007 })),
    update("a", { ...nodePort({ port: 80, nodePort: 30012 }), ...wrong }),
    create("f", nodePort({ port: 80, nodePort: 30012 })),
    update("d", nodePort({ name: "a", port: 80, nodePort: 30013 }, { name: "b", port: 81, nodePort: 30013 })),
    update("d", nodePort({ name: "b", protocol: "UDP", port: 80 })),
    update("a", { type: "ClusterIP", ports: [{ port: 80, nodePort: 30014 }] }),
    update("a", { type: "ClusterIP", ports: [{ port: 80, nodePort: 30005 }] }),
    create("g", nodePort({ port: 80, nodePort: 30005 })),
  ],
  "ports for the health of nodes": [
    create("a", balanced({ healthCheckNodePort: 30011 })),
    create("b", balanced({ healthCheckNodePort: 30011 })),
    create("b", balanced({ healthCheckNodePort: 99 })),
    create("b", balanced({ healthCheckNodePort: 30014, ports: [{ port: 80, nodePort: 30014 }] })),
    update("a", balanced({})),
    update("a", balanced({ externalTrafficPolicy: "Cluster" })),
    create("b", balanced({ healthCheckNodePort: 30011 })),
    update("a", balanced({ healthCheckNodePort: 30011 })),
    update("b", balanced({ healthCheckNodePort: 30013 })),
    remove("b"),
    update("a", balanced({ healthCheckNodePort: 30011 })),
  ],
};

/** @returns the answers, without values that a server chooses */
async function answers(send: Send, writes: Write[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [method, name, spec, labels = {}] of writes) {
    const path = method === "POST" ? services : `${services}/${name}`;
    const metadata = { name, labels };
    const body = spec && { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }], ...spec } };
    const answer = await send(method, path, body as JsonObject);
    const { type, clusterIP, ports, healthCheckNodePort } = (answer.body.spec ?? {}) as JsonObject;
    const chosen = (spec?.ports ?? []) as JsonObject[];
    const shown = ((ports ?? []) as JsonObject[]).map(({ nodePort }) =>
      chosen.some((port) => port.nodePort === nodePort) ? nodePort : typeof nodePort,
    );
    const check = spec?.healthCheckNodePort === healthCheckNodePort ? healthCheckNodePort : typeof healthCheckNodePort;
    const address = spec?.clusterIP === clusterIP ? clusterIP : typeof clusterIP;
    results.push([method, name, answer.code, answer.body.message, type, address, shown, check]);
  }
  for (const name of new Set(writes.map(([, name]) => name))) await send("DELETE", `${services}/${name}`);
  return results;
}

it.each(Object.entries(sequences))("%s", async (_name, writes) => {
  expect(await answers(inProcess(server), writes)).toEqual(await answers(real, writes));
});
