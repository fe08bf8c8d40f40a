import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { widgetDefinition } from "../custom-resources/widget.fixture.ts";
import type { ApiServerOptions } from "../engine/options.ts";
import { type ApiServer, startApiServer } from "../server/server.ts";

// The expectations are what kube-apiserver 1.37.2 answers.
const option = "ignoreStoreReadErrorWithClusterBreakingPotential";
const maps = "/api/v1/namespaces/default/configmaps";
const widgets = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;
const decodable = "AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage";
let server: ApiServer;

async function send(method: string, url: string, body?: object, user?: string) {
  const answer = await server.handle({
    method,
    url,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(user === undefined ? {} : { user: { name: user, groups: [] } }),
  });
  return { status: answer.status, body: JSON.parse(String(answer.body)) };
}

const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const versions = ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v1", schema }));
const { spec, ...named } = widgetDefinition(versions);
const webhook = { conversionReviewVersions: ["v1"], clientConfig: { url: "https://127.0.0.1:1/convert" } };
const definition = { ...named, spec: { ...(spec as JsonObject), conversion: { strategy: "Webhook", webhook } } };

/** Starts a server in which no webhook converts the objects of v1 to v2. */
async function start(options: ApiServerOptions = {}): Promise<void> {
  server = await startApiServer({ http: false, authorization: "always-allow", crds: [definition], ...options });
  const widget = { apiVersion: "example.com/v1", kind: "Widget" };
  await send("POST", widgets("v1"), { ...widget, metadata: { name: "a", finalizers: ["example.com/f"] } });
  await send("POST", maps, { metadata: { name: "m" } });
}
afterEach(() => server.stop());

describe(option, () => {
  beforeEach(() => start());

  it("deletes an object that can't be read, whatever its finalizers are", async () => {
    expect((await send("DELETE", `${widgets("v2")}/a`)).status).toBe(500);
    expect(await send("DELETE", `${widgets("v2")}/a?${option}=true`)).toMatchObject({
      status: 200,
      body: { kind: "Status", status: "Success", details: { name: "a", kind: "Widget" } },
    });
    expect((await send("GET", `${widgets("v1")}/a`)).status).toBe(404);
  });

  it("only checks with dryRun", async () => {
    expect((await send("DELETE", `${widgets("v2")}/a?${option}=true&dryRun=All`)).status).toBe(200);
    expect((await send("DELETE", `${maps}/m?${option}=true&dryRun=All`)).status).toBe(409);
    expect((await send("GET", `${widgets("v1")}/a`)).status).toBe(200);
  });

  it.each([
    [`${maps}/m`, `configmaps "m"`, "/registry/configmaps/default/m"],
    [`${widgets("v1")}/a`, `widgets.example.com "a"`, "/registry/example.com/widgets/default/a"],
  ])("never deletes an object that can be read: %s", async (path, named, key) => {
    const error = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, ${decodable}`;
    const message = `Operation cannot be fulfilled on ${named}: ${error}`;
    expect((await send("DELETE", path, { kind: "DeleteOptions", apiVersion: "v1", [option]: true })).body.message).toBe(
      message,
    );
    expect((await send("GET", path)).status).toBe(200);
  });

  it("answers 404 for an object that doesn't exist", async () => {
    expect((await send("DELETE", `${maps}/none?${option}=true`)).status).toBe(404);
  });

  it.each(["gracePeriodSeconds=0", "propagationPolicy=Background", "orphanDependents=true"])(
    "can't be used with %s",
    async (parameter) => {
      const [name] = parameter.split("=");
      const { status, body } = await send("DELETE", `${widgets("v2")}/a?${option}=true&${parameter}`);
      expect(status).toBe(422);
      expect(body.message).toBe(
        `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: cannot be set together with .${name}`,
      );
    },
  );

  it("can't be used with preconditions", async () => {
    const { status } = await send("DELETE", `${widgets("v2")}/a`, { [option]: true, preconditions: { uid: "x" } });
    expect(status).toBe(422);
  });

  it.each([maps, widgets("v1"), widgets("v2")])("is refused for a whole collection: %s", async (path) => {
    const { status, body } = await send("DELETE", `${path}?${option}=true`);
    expect(status).toBe(422);
    expect(body.message).toContain("is not allowed with DELETECOLLECTION, try again after removing the option");
    expect((await send("GET", `${maps}/m`)).status).toBe(200);
  });

  it.each(["/api/v1/namespaces/default", "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin"])(
    "isn't possible for kinds with a storage of their own: %s",
    async (path) => {
      const { status, body } = await send("DELETE", `${path}?${option}=true`);
      expect(status).toBe(500);
      expect(body.message).toContain("no unsafe deleter provided");
    },
  );

  it("changes nothing if it is false", async () => {
    expect((await send("DELETE", `${maps}/m?${option}=false`)).status).toBe(200);
  });
});

it(`${option} needs a permission of its own`, async () => {
  await start({ authorization: "rbac" });
  const rbac = "/apis/rbac.authorization.k8s.io/v1/clusterrole";
  const grant = async (verbs: string[]) => {
    const rules = [{ apiGroups: ["example.com"], resources: ["widgets"], verbs }];
    await send("DELETE", `${rbac}s/thing`, undefined);
    await send("POST", `${rbac}s`, { metadata: { name: "thing" }, rules });
  };
  await send("POST", `${rbac}bindings`, {
    metadata: { name: "thing" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "thing" },
    subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
  });
  await grant(["delete"]);
  const refused = await send("DELETE", `${widgets("v2")}/a?${option}=true`, undefined, "jane");
  expect(refused.body).toMatchObject({
    code: 403,
    message: 'widgets.example.com "a" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: ',
  });
  await grant(["delete", "unsafe-delete-ignore-read-errors"]);
  expect((await send("DELETE", `${widgets("v2")}/a?${option}=true`, undefined, "jane")).status).toBe(200);
});

it(`${option} is ignored without its feature gate`, async () => {
  await start({ featureGates: { AllowUnsafeMalformedObjectDeletion: false } });
  expect((await send("DELETE", `${maps}/m?${option}=true`)).status).toBe(200);
});
