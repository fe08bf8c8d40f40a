// The order of the events of deletions, on a server with a socket.

import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const pods = "/api/v1/namespaces/default/pods";
const headers = { "content-type": "application/json" };
let server: ApiServer;

async function send(method: string, url: string, body?: JsonObject) {
  return server.handle({ method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

function createPod(name: string) {
  const spec = { containers: [{ name: "a", image: "a" }] };
  return send("POST", pods, { apiVersion: "v1", kind: "Pod", metadata: { name }, spec });
}

/** Watches a Pod. Returns a function that reads the types of the events that come together. */
async function watchPod(name: string): Promise<() => Promise<string[]>> {
  const { stream } = await send("GET", `${pods}?watch=true&fieldSelector=metadata.name%3D${name}`);
  if (stream === undefined) throw new Error("no stream");
  const chunks = stream[Symbol.asyncIterator]();
  return async () => {
    const { value } = await chunks.next();
    const lines = String(value).trim().split("\n");
    return lines.map((line) => (JSON.parse(line) as { type: string }).type);
  };
}

beforeAll(async () => {
  server = await startApiServer({ tls: false, authorization: "always-allow" });
});
afterAll(() => server.stop());

it("sends the mark of a Pod that has no grace period before its deletion", async () => {
  await createPod("a");
  const next = await watchPod("a");
  expect(await next()).toEqual(["ADDED"]);
  const deletion = send("DELETE", `${pods}/a`);
  expect(await next()).toEqual(["MODIFIED"]);
  let isSent = false;
  setImmediate(() => {
    isSent = true;
  });
  expect(await next()).toEqual(["DELETED"]);
  expect(isSent).toBe(true);
  expect((await deletion).status).toBe(200);
});

it("deletes a Pod once for two requests at the same time", async () => {
  await createPod("b");
  const next = await watchPod("b");
  expect(await next()).toEqual(["ADDED"]);
  const answers = await Promise.all([send("DELETE", `${pods}/b`), send("DELETE", `${pods}/b`)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const events = await next();
  while (!events.includes("DELETED")) events.push(...(await next()));
  expect(events).toEqual(["MODIFIED", "DELETED"]);
});

it("asks admission again about the mark of a Pod before its deletion", async () => {
  const rules = { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["pods"] };
  const validations = [{ expression: "!has(oldObject.metadata.deletionTimestamp)", message: "is marked" }];
  const group = "admissionregistration.k8s.io";
  const metadata = { name: "unmarked" };
  await send("POST", `/apis/${group}/v1/validatingadmissionpolicies`, {
    apiVersion: `${group}/v1`,
    kind: "ValidatingAdmissionPolicy",
    metadata,
    spec: { matchConstraints: { resourceRules: [rules] }, validations },
  });
  await send("POST", `/apis/${group}/v1/validatingadmissionpolicybindings`, {
    apiVersion: `${group}/v1`,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata,
    spec: { policyName: metadata.name, validationActions: ["Deny"] },
  });
  await createPod("c");
  const answer = await send("DELETE", `${pods}/c`);
  expect(String(answer.body)).toContain("is marked");
  const { body } = await send("GET", `${pods}/c`);
  expect(JSON.parse(String(body)).metadata).toMatchObject({ deletionGracePeriodSeconds: 0 });
});
