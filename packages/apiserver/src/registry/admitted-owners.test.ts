import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../index.ts";

const policyGroup = "/apis/admissionregistration.k8s.io/v1";
const pods = "/api/v1/namespaces/default/pods";
const controllers = "/api/v1/namespaces/default/replicationcontrollers";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };

/** Starts a server with a policy whose message contains the managed fields that validating admission gets. */
async function serverWithPolicy(resource: string) {
  const server = await startApiServer({ http: false });
  onTestFinished(() => server.stop());
  const send = async (method: string, url: string, body: object): Promise<string | undefined> => {
    const headers = { "content-type": "application/json" };
    return JSON.parse(String((await server.handle({ method, url, headers, body: JSON.stringify(body) })).body)).message;
  };
  const shown = "has(object.metadata.managedFields) ? object.metadata.managedFields.map(f, f.subresource) : []";
  await send("POST", `${policyGroup}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: [resource], operations: ["*"] }],
      },
      validations: [{ expression: "false", messageExpression: `'owners: ' + (${shown}).join()` }],
    },
  });
  await send("POST", `${policyGroup}/validatingadmissionpolicybindings`, {
    metadata: { name: "p" },
    spec: { policyName: "p", validationActions: ["Deny"] },
  });
  return send;
}

it("validating admission gets the managed fields of a Binding or an Eviction", async () => {
  const bind = await serverWithPolicy("pods/binding");
  await bind("POST", pods, { metadata: { name: "a" }, spec: template.spec });
  const target = { metadata: { name: "a" }, target: { name: "n" } };
  expect(await bind("POST", `${pods}/a/binding`, target)).toMatch(/denied request: owners: binding$/);

  const evict = await serverWithPolicy("pods/eviction");
  await evict("POST", pods, { metadata: { name: "a" }, spec: template.spec });
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a", labels: { a: "b" } } };
  expect(await evict("POST", `${pods}/a/eviction`, eviction)).toMatch(/denied request: owners: eviction$/);
});

it("validating admission gets a Scale without managed fields", async () => {
  const send = await serverWithPolicy("replicationcontrollers/scale");
  await send("POST", controllers, { metadata: { name: "a" }, spec: { template } });
  const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "a" }, spec: { replicas: 2 } };
  expect(await send("PUT", `${controllers}/a/scale`, scale)).toMatch(/denied request: owners:$/);
});
