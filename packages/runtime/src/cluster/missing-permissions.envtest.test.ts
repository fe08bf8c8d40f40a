import { afterAll, beforeAll, expect, it } from "vitest";
import { ConfigMap, Namespace, Pod } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { Role, RoleBinding } from "../api/rbac/v1.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { Config } from "../config/config.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isForbidden } from "../errors/predicates.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { Cluster } from "./cluster.ts";

const environment = new TestEnvironment({
  apiServerFlags: { "enable-admission-plugins": "OwnerReferencesPermissionEnforcement" },
});
let admin: Client;
let users = 0;
const clusters: Cluster[] = [];

beforeAll(async () => {
  admin = createClient(await environment.start());
});
afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster.close()));
  await environment.stop();
});

/** Creates a cluster for a user with the given rules in the default namespace. Returns the missing permissions that it logs. */
async function cluster(
  rules: Role["rules"],
  options: { namespaces?: string[] } = {},
): Promise<{ cluster: Cluster; reported: Record<string, unknown>[] }> {
  const name = `user-${users++}`;
  const metadata = { name, namespace: "default" };
  await admin.create(Role, { metadata, rules });
  await admin.create(RoleBinding, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name }],
  });
  const config: Config = await environment.addUser(name);
  const { logger, reported } = listening();
  const cache = options.namespaces
    ? { defaultNamespaces: Object.fromEntries(options.namespaces.map((each) => [each, {}])) }
    : {};
  const made = await Cluster.create(config, { logger, cache });
  clusters.push(made);
  return { cluster: made, reported };
}

function listening(): { logger: Logger; reported: Record<string, unknown>[] } {
  const reported: Record<string, unknown>[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (_error, message, fields) => {
      if (message.startsWith("Missing permission")) reported.push({ ...fields });
    },
    with: () => logger,
  };
  return { logger, reported };
}

const kindOf = <T extends KubernetesObject>({ apiVersion, kind }: Kind<T>) => ({ apiVersion, kind });
const configMap = (name: string): ConfigMap => ({ ...kindOf(ConfigMap), metadata: { name, namespace: "default" } });
const refused = (promise: Promise<unknown>) => expect(promise).rejects.toSatisfy(isForbidden);

it("the log contains the marker of each missing permission once, whichever call needs it", async () => {
  const { cluster: own, reported } = await cluster([{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }]);
  const { client } = own;
  for (let time = 0; time < 2; time++) {
    await refused(client.create(configMap("a")));
    await refused(client.list(Pod));
    await refused(client.subResource("log").get({ ...kindOf(Pod), metadata: { name: "p", namespace: "default" } }));
    await refused(client.status.update({ ...kindOf(Pod), metadata: { name: "p", namespace: "default" } }));
  }
  expect(reported).toEqual([
    {
      marker: "+kubebuilder:rbac:groups=core,resources=configmaps,verbs=create",
      verb: "create",
      group: "",
      resource: "configmaps",
      namespace: "default",
    },
    { marker: "+kubebuilder:rbac:groups=core,resources=pods,verbs=list", verb: "list", group: "", resource: "pods" },
    expect.objectContaining({ marker: "+kubebuilder:rbac:groups=core,resources=pods/log,verbs=get" }),
    expect.objectContaining({ marker: "+kubebuilder:rbac:groups=core,resources=pods/status,verbs=update" }),
  ]);
});

it("the log contains the permissions that an informer needs", async () => {
  const { cluster: own, reported } = await cluster([]);
  own.cache.inform(ConfigMap);
  const stop = new AbortController();
  const done = own.start(stop.signal);
  await expect.poll(() => reported.length).toBe(1);
  stop.abort();
  await done;
  // The log contains both verbs after one attempt, because a user without one of them usually has neither.
  expect(reported).toMatchObject([{ marker: "+kubebuilder:rbac:groups=core,resources=configmaps,verbs=list;watch" }]);
});

it("the marker contains the namespace if the operator is limited to it", async () => {
  const { cluster: own, reported } = await cluster([], { namespaces: ["default"] });
  await refused(own.client.create(configMap("b")));
  expect(reported).toMatchObject([
    { marker: "+kubebuilder:rbac:groups=core,resources=configmaps,verbs=create,namespace=default" },
  ]);
});

it("the marker contains the finalizers of an owner whose deletion is blocked", async () => {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "create"] }];
  const { cluster: own, reported } = await cluster(rules);
  const owner = await admin.create(configMap("owner"));
  const child = configMap("child");
  setControllerReference(owner, child);
  await refused(own.client.create(child));
  expect(reported).toMatchObject([
    { marker: "+kubebuilder:rbac:groups=core,resources=configmaps/finalizers,verbs=update", namespace: "default" },
  ]);
});

it("the log omits rejections that a role can't change", async () => {
  const { logger, reported } = listening();
  const own = await Cluster.create(environment.config, { logger });
  clusters.push(own);
  const namespace = await admin.create({ ...kindOf(Namespace), metadata: { name: "ending" } });
  await admin.delete(namespace);
  await refused(own.client.create({ ...kindOf(ConfigMap), metadata: { name: "late", namespace: "ending" } }));
  expect(reported).toEqual([]);
});
