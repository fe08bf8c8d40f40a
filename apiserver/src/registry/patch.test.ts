import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
let server: ApiServer;

async function send(method: string, url: string, body: object, type = "application/json") {
  const text = JSON.stringify(body);
  return JSON.parse(String((await server.handle({ method, url, headers: { "content-type": type }, body: text })).body));
}

beforeAll(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  await send("POST", maps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "1" } });
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  await send("POST", deployments, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec });
});
afterAll(() => server.stop());

it.each([
  [{ kind: "Secret" }, "illegal base64 data at input byte 0"],
  [{ kind: "Other" }, 'no kind "Other" is registered for version "v1"'],
  [{ kind: "Secret", data: null }, "converting (v1.Secret) to (core.ConfigMap): unknown conversion"],
])("a merge patch can't change the kind: %j", async (patch, message) => {
  const answer = await send("PATCH", `${maps}/a`, patch, "application/merge-patch+json");
  expect(answer).toMatchObject({ code: 422, details: { causes: [{ field: "patch" }] } });
  expect(answer.message).toContain(message);
});

it("a merge patch can't remove the version", async () => {
  const answer = await send("PATCH", `${maps}/a`, { apiVersion: null }, "application/merge-patch+json");
  expect(answer).toMatchObject({ code: 400 });
  expect(answer.message).toBe("the name of the object (a based on URL) was undeterminable: name must be provided");
});

it("errors contain the metadata of the object in Go's order", async () => {
  const { message } = await send("PATCH", `${maps}/a`, { data: 5 }, "application/merge-patch+json");
  expect(message).toMatch(/"uid\\":\\"[^"]+\\",\\"resourceVersion\\":\\"\d+\\",\\"creationTimestamp/);
});

it.each([
  [{ containers: "x" }, "cannot restore slice from string"],
  [{ nodeSelector: "x" }, "cannot restore map from string"],
  [{ securityContext: "x" }, "cannot restore struct from: string"],
  [{ hostNetwork: "x" }, "unrecognized type: bool"],
  [{ restartPolicy: 5 }, "cannot convert int64 to v1.RestartPolicy"],
  [{ terminationGracePeriodSeconds: 1.5 }, "cannot convert float64 to int64"],
])("the error of a strategic merge patch contains the wrong type: %j", async (spec, problem) => {
  const type = "application/strategic-merge-patch+json";
  const { message } = await send("PATCH", `${deployments}/a`, { spec: { template: { spec } } }, type);
  expect(message.endsWith(`: ${problem}`), message).toBe(true);
});

const badVersion = { code: 500, message: 'strconv.ParseUint: parsing "x": invalid syntax' };

it("an update rejects a resourceVersion that isn't a number", async () => {
  const metadata = { name: "a", resourceVersion: "x" };
  expect(await send("PUT", `${maps}/a`, { apiVersion: "v1", kind: "ConfigMap", metadata })).toMatchObject(badVersion);
});

it("an update that creates an object rejects a resourceVersion that isn't a number", async () => {
  const lease = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "new", resourceVersion: "x" },
  };
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/new";
  expect(await send("PUT", path, lease)).toMatchObject(badVersion);
});

it("warnings about a patched object are in the order of its text with sorted keys", async () => {
  const type = "application/merge-patch+json";
  const unknown = await send("PATCH", `${maps}/a?fieldValidation=Strict`, { zz: 1, aa: 2, metadata: { b: 1 } }, type);
  expect(unknown.message.endsWith('"aa", unknown field "metadata.b", unknown field "zz"'), unknown.message).toBe(true);
  const wrong = await send("PATCH", `${maps}/a`, { immutable: "x", data: 5 }, type);
  expect(wrong.message).toMatch(/cannot unmarshal number into Go struct field ConfigMap\.data of type/);
});
