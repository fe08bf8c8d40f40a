import type { JsonObject } from "@kubewright/cel/json";
import { afterEach, expect, test } from "vitest";
import type { ApiServer } from "../index.ts";
import { startApiServer } from "../index.ts";
import type { UserInfo } from "../model/request.ts";

let server: ApiServer;
afterEach(() => server.stop());

const alice: UserInfo = { name: "alice", groups: ["system:authenticated"] };

async function ask(method: string, url: string, object?: JsonObject): Promise<JsonObject> {
  const headers = { "content-type": "application/json" };
  const body = object === undefined ? {} : { body: JSON.stringify(object) };
  const answer = await server.handle({ method, url, headers, user: alice, ...body });
  return JSON.parse(String(answer.body)) as JsonObject;
}

/** Reads a namespace with a password, which the server doesn't accept as credentials. */
async function askWithPassword(): Promise<unknown> {
  const headers = { authorization: "Basic YmFkOndyb25n" };
  return (await fetch(`${server.url}/api/v1/namespaces/default`, { headers })).json();
}

test("with RBAC and AlwaysAllow, the default roles exist and everything is allowed", async () => {
  server = await startApiServer({ http: false, authorization: ["rbac", "always-allow"] });
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  expect(await ask("GET", `${roles}/cluster-admin`)).toMatchObject({ kind: "ClusterRole" });
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["*"] }];
  expect(await ask("POST", roles, { metadata: { name: "all-secrets" }, rules })).toMatchObject({ rules });
  const review = { spec: { namespace: "default" } };
  const reviewed = await ask("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", review);
  expect(reviewed.status).toMatchObject({
    resourceRules: expect.arrayContaining([
      { verbs: ["create"], apiGroups: ["authorization.k8s.io"], resources: expect.any(Array) },
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
    ]),
  });
});

test("AlwaysAllow alone creates no default roles", async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  expect(await ask("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles")).toMatchObject({ items: [] });
});

test.each([{ authorization: "always-allow" as const }, { authorization: ["rbac", "always-allow"] as const }])(
  "with $authorization, a request with invalid credentials gets 401",
  async ({ authorization }) => {
    server = await startApiServer({ tls: false, authorization });
    expect(await askWithPassword()).toMatchObject({ code: 401, reason: "Unauthorized" });
    expect(await ask("GET", "/api/v1/namespaces/default")).toMatchObject({ kind: "Namespace" });
  },
);

test("with RBAC, a request with invalid credentials is anonymous", async () => {
  server = await startApiServer({ tls: false });
  const message = expect.stringContaining('User "system:anonymous" cannot get resource "namespaces"');
  expect(await askWithPassword()).toMatchObject({ code: 403, message });
});
