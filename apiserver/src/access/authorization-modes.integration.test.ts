import { afterEach, expect, test } from "vitest";
import type { ApiServer } from "../index.ts";
import { startApiServer } from "../index.ts";
import type { JsonObject } from "../json/json.ts";

let server: ApiServer;
afterEach(() => server.stop());

const alice = { name: "alice", groups: ["system:authenticated"] };

async function ask(method: string, url: string, object?: JsonObject): Promise<JsonObject> {
  const headers = { "content-type": "application/json" };
  const body = object === undefined ? {} : { body: JSON.stringify(object) };
  const answer = await server.handle({ method, url, headers, user: alice, ...body });
  return JSON.parse(String(answer.body)) as JsonObject;
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

test("with AlwaysAllow alone, there are no default roles", async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
  expect(await ask("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles")).toMatchObject({ items: [] });
});
