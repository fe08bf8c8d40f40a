import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../index.ts";

const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "games", kind: "Game" },
    versions: [{ name: "v1", served: true, storage: true, subresources: { scale }, schema }],
  },
};
const path = "/apis/example.com/v1/namespaces/default/games";

it("reports negative replicas with the field of the custom resource, or of the Scale for built-in kinds", async () => {
  const server = await startApiServer({ http: false, crds: [definition] });
  onTestFinished(() => server.stop());
  const send = async (method: string, url: string, body: object) => {
    const headers = { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" };
    return JSON.parse(String((await server.handle({ method, url, headers, body: JSON.stringify(body) })).body));
  };
  await send("POST", path, { apiVersion: "example.com/v1", kind: "Game", metadata: { name: "a" }, spec: {} });
  const custom = await send("PATCH", `${path}/a/scale`, { spec: { replicas: -1 } });
  expect(custom.message).toBe(
    'Game.example.com "a" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
  );
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
  await send("POST", deployments, {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: { a: "b" } }, template },
  });
  const builtIn = await send("PATCH", `${deployments}/a/scale`, { spec: { replicas: -1 } });
  expect(builtIn.message).toBe(
    'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
});

it("rejects applying the scale of a custom resource whose replicas have no owner, as kube-apiserver does", async () => {
  const server = await startApiServer({ http: false, crds: [definition] });
  onTestFinished(() => server.stop());
  const send = async (method: string, url: string, body: object, type = "application/json") => {
    const answer = await server.handle({ method, url, headers: { "content-type": type }, body: JSON.stringify(body) });
    return [answer.status, JSON.parse(String(answer.body)).message];
  };
  const apply = (name: string) => {
    const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, spec: { replicas: 2 } };
    return send("PATCH", `${path}/${name}/scale?fieldManager=m&force=true`, body, "application/apply-patch+yaml");
  };
  const game = { apiVersion: "example.com/v1", kind: "Game" };
  await send("POST", path, { ...game, metadata: { name: "owned" }, spec: { replicas: 1 } });
  await send("POST", path, { ...game, metadata: { name: "unowned" } });
  expect(await apply("owned")).toEqual([200, undefined]);
  expect(await apply("unowned")).toEqual([
    500,
    "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1",
  ]);
});
