import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";
let server: ApiServer;

const mergePatch = "application/merge-patch+json";

function send(method: string, url: string, body: object, type = "application/json") {
  return sendText(method, url, JSON.stringify(body), type);
}

async function sendText(method: string, url: string, body: string, type: string) {
  return JSON.parse(String((await server.handle({ method, url, headers: { "content-type": type }, body })).body));
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

it.each(["2.0", "1e1"])("a merge patch can't set an integer to %s", async (replicas) => {
  const answer = await sendText("PATCH", `${deployments}/a`, `{"spec":{"replicas":${replicas}}}`, mergePatch);
  expect(answer.code).toBe(422);
  expect(answer.message).toContain(`\\"replicas\\":${replicas}`);
  expect(answer.message).toContain(
    `cannot unmarshal number ${replicas} into Go struct field DeploymentSpec.spec.replicas`,
  );
});

it("a strategic merge patch can't change the kind, and is applied without it", async () => {
  const patch = { kind: "Other", apiVersion: "v7", data: { c: "3" } };
  const answer = await send("PATCH", `${maps}/a`, patch, "application/strategic-merge-patch+json");
  expect(answer).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", data: { c: "3" } });
});

it("a list of media types that contains a known one gets the known ones", async () => {
  const answer = await send("PATCH", `${maps}/a`, {}, `application/json, ${mergePatch}`);
  expect(answer.code).toBe(415);
  expect(answer.message).toContain("accepted media types include: application/json-patch+json");
});

it("errors of an apply name the applied configuration", async () => {
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, binaryData: { a: "!" } };
  const answer = await send("PATCH", `${maps}/a?fieldManager=m`, applied, "application/apply-patch+yaml");
  expect(answer.message).toMatch(/^failed to convert new object \(\/a; \/v1, Kind=ConfigMap\) to proper version/);
});

it.each([
  ["00", { kind: "ConfigMap" }],
  [
    "99999999999999999999",
    { code: 500, message: 'strconv.ParseUint: parsing "99999999999999999999": value out of range' },
  ],
])("the resourceVersion %s is read as a number", async (resourceVersion, expected) => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", resourceVersion } };
  expect(await send("PUT", `${maps}/a`, object)).toMatchObject(expected);
});

it("a strategic merge patch wraps integers that are too large", async () => {
  const body = '{"spec":{"replicas":9007199254740993}}';
  const answer = await sendText("PATCH", `${deployments}/a?dryRun=All`, body, "application/strategic-merge-patch+json");
  expect(answer.spec.replicas).toBe(1);
});

it("a JSON patch keeps how a value was written when it moves the value", async () => {
  const patch = [
    { op: "add", path: "/data", value: {} },
    { op: "add", path: "/data/x", value: "<" },
    { op: "move", from: "/data/x", path: "/data/y" },
    { op: "test", path: "/data/y", value: "<" },
  ];
  expect(await send("PATCH", `${maps}/a?dryRun=All`, patch, "application/json-patch+json")).toMatchObject({
    data: { y: "<" },
  });
  const copied = patch.map((one) => (one.op === "move" ? { ...one, op: "copy" } : one));
  expect(await send("PATCH", `${maps}/a?dryRun=All`, copied, "application/json-patch+json")).toMatchObject({
    code: 422,
  });
});
