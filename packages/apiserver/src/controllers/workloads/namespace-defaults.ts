import { equalJson } from "@kubewright/cel/json";
import { SystemClient } from "../../client/system-client.ts";
import { WorkQueue } from "../../client/work-queue.ts";
import type { ApiObject } from "../../model/resource.ts";
import { StatusError } from "../../model/status.ts";
import type { WorkloadContext } from "./common/context.ts";
import { keyOf } from "./common/objects.ts";
import { isNamespaceTerminating } from "./common/pods.ts";

const accountName = "default";
const certificateName = "kube-root-ca.crt";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/**
 * Keeps the ServiceAccount `default` in each namespace.
 *
 * @param context - what the controllers share
 */
export function startDefaultAccounts(context: WorkloadContext): void {
  const client = new SystemClient(context.engine, "service-account-controller");
  const accounts = context.informer<ApiObject>("", "serviceaccounts", accountName);
  const queue = keepInNamespaces(context, async (namespace) => {
    if (accounts.get(namespace, accountName) !== undefined) return;
    const metadata = { name: accountName, namespace };
    await client.create(accounts.type, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  });
  accounts.onChange((account, old) => {
    if (account === undefined) queue.add(old?.metadata.namespace as string);
  });
}

/**
 * Keeps the ConfigMap `kube-root-ca.crt` in each namespace.
 *
 * @param context - what the controllers share
 * @param caBundle - the authority that signs the certificate of the server, in PEM
 */
export function startCertificatePublisher(context: WorkloadContext, caBundle: string): void {
  const client = new SystemClient(context.engine, "root-ca-cert-publisher");
  const maps = context.informer<ApiObject>("", "configmaps", certificateName);
  const annotations = { "kubernetes.io/description": description };
  const data = { "ca.crt": caBundle };
  const queue = keepInNamespaces(context, async (namespace) => {
    const present = maps.get(namespace, certificateName);
    if (present === undefined) {
      const metadata = { name: certificateName, namespace, annotations };
      await client.create(maps.type, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
      return;
    }
    const described = Boolean(present.metadata.annotations?.["kubernetes.io/description"]);
    if (described && equalJson(present.data ?? null, data)) return;
    await client.update({ type: maps.type, namespace, name: certificateName }, (object) => {
      object.data = { ...data };
      object.metadata.annotations = { ...object.metadata.annotations, ...annotations };
    });
  });
  maps.onChange((map, old) => queue.add((map ?? old)?.metadata.namespace as string));
}

/** Calls a function for each namespace that isn't being deleted. */
function keepInNamespaces(context: WorkloadContext, work: (namespace: string) => Promise<void>): WorkQueue {
  const namespaces = context.informer<ApiObject>("", "namespaces");
  const queue = new WorkQueue(context.engine, async (name) => {
    const namespace = namespaces.byKey(name);
    if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return;
    try {
      await work(name);
    } catch (error) {
      const gone = error instanceof StatusError && (error.reason === "NotFound" || error.reason === "AlreadyExists");
      if (!gone && !isNamespaceTerminating(error)) throw error;
    }
  });
  namespaces.onChange((namespace) => {
    if (namespace !== undefined) queue.add(keyOf(namespace));
  });
  return queue;
}
