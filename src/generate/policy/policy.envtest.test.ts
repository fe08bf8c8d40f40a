// Generated policies are enforced: by the embedded API server, and by kube-apiserver with the same results.
import { ApiError } from "@kubewright/runtime";
import { loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { generate } from "../generate.ts";
import { startApiServer } from "../test-support/api-server.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";

const markers = [
  'name=count,rule="object.spec.replicas <= 5",messageExpression="\'at most 5, not \' + string(object.spec.replicas)"',
  'name=label,rule="has(object.metadata.labels) && \'owner\' in object.metadata.labels",message="the label owner is missing",reason=Forbidden,operations=CREATE',
  'name=shrink,rule="object.spec.replicas >= oldObject.spec.replicas",message="never fewer",operations=UPDATE',
  'name=keep,rule="oldObject.spec.replicas == 0",message="it has replicas",operations=DELETE',
  'name=space,rule="namespaceObject.metadata.name != \'kube-system\'",message="not here"',
  "name=user,rule=\"authorizer.group('example.com').resource('games').check('create').allowed()\",message=\"not allowed\",condition=\"request.operation == 'CREATE'\"",
  'name=hint,rule="object.spec.replicas != 3",message="three is odd",action=Warn',
];
const source = `${'// +kubewright:policy:name=maps,resource=v1/configmaps,rule="object.metadata.name != \'forbidden\'",message="choose another name"\n'}
// +groupName=example.com

import type { Int32, KubernetesObject } from "@kubewright/runtime/api";

// +kubebuilder:object:root=true
${markers.map((marker) => `// +kubewright:policy:${marker}`).join("\n")}
export interface Game extends KubernetesObject {
  spec: { replicas: Int32 };
}
`;

const server = startApiServer();
const base = "/apis/admissionregistration.k8s.io/v1/";
const paths: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: `${base}validatingadmissionpolicies`,
  ValidatingAdmissionPolicyBinding: `${base}validatingadmissionpolicybindings`,
};
const games = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/games`;
const game = (name: string, replicas: number, labels: object | undefined = { owner: "a" }) => ({
  apiVersion: "example.com/v1",
  kind: "Game",
  metadata: { name, ...(labels === undefined ? {} : { labels }) },
  spec: { replicas },
});

async function send(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<string> {
  try {
    await server.send({ method, path, ...(body === undefined ? {} : { body }) });
    return "allowed";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.message.replace(/^.*?denied request: /, "")}`;
  }
}

/** Generates the CRD and the policies, and waits until the server evaluates them. */
async function install(): Promise<void> {
  const cwd = project({ "api/v1/game.ts": source });
  const { plan, diagnostics } = await generate(requestOf(cwd, ["crd", "policy", "paths=./..."]));
  expect(diagnostics).toEqual([]);
  const documents = plan.writes.flatMap(({ after = "" }) => loadAll(after)) as { kind: string }[];
  await server.environment.installCRDs({
    crds: documents.filter(({ kind }) => kind === "CustomResourceDefinition") as never,
  });
  for (const document of documents) {
    const path = paths[document.kind];
    if (path) expect(await send("POST", path, document)).toBe("allowed");
  }
  // kube-apiserver reads policies some time after they were created.
  await expect.poll(() => send("POST", `${games("default")}?dryRun=All`, game("probe", 9))).not.toBe("allowed");
  await expect
    .poll(() => send("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", config("forbidden")))
    .not.toBe("allowed");
}

function config(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name } };
}

it("requests that a policy doesn't allow are refused, and others aren't", async () => {
  await install();
  const results = {
    allowed: await send("POST", games("default"), game("a", 3)),
    tooMany: await send("POST", games("default"), game("b", 6)),
    unlabeled: await send("POST", games("default"), { ...game("b", 1), metadata: { name: "b" } }),
    namespace: await send("POST", games("kube-system"), game("b", 1)),
    grown: await send("PUT", `${games("default")}/a`, await withVersion("a", 4)),
    shrunk: await send("PUT", `${games("default")}/a`, await withVersion("a", 2)),
    deleted: await send("DELETE", `${games("default")}/a`),
    foreign: await send("POST", "/api/v1/namespaces/default/configmaps", config("forbidden")),
    other: await send("POST", "/api/v1/namespaces/default/configmaps", config("free")),
  };
  expect(results).toEqual({
    allowed: "allowed",
    tooMany: "422 at most 5, not 6",
    unlabeled: "403 the label owner is missing",
    namespace: "422 not here",
    grown: "allowed",
    shrunk: "422 never fewer",
    deleted: "422 it has replicas",
    foreign: "422 choose another name",
    other: "allowed",
  });
});

async function withVersion(name: string, replicas: number): Promise<object> {
  const { body } = (await server.send({ method: "GET", path: `${games("default")}/${name}` })) as { body: unknown };
  const stored = (typeof body === "string" ? JSON.parse(body) : body) as { metadata: object };
  return { ...stored, spec: { replicas } };
}
