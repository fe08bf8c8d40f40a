import { equalJson } from "../../json/values.ts";
import type { ApiObject } from "../../registry/resource.ts";
import { StatusError } from "../../request/status.ts";
import type { Informer } from "../informer.ts";
import { SystemClient } from "../system-client.ts";
import { WorkQueue } from "../work-queue.ts";
import type { WorkloadContext } from "./context.ts";
import { keyOf } from "./objects.ts";
import { isNamespaceTerminating } from "./pods.ts";

const accountName = "default";
const certificateName = "kube-root-ca.crt";
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** Creates the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` in each namespace. */
export class NamespaceDefaults {
  readonly #accountClient: SystemClient;
  readonly #certificateClient: SystemClient;
  readonly #namespaces: Informer<ApiObject>;
  readonly #accounts: Informer<ApiObject>;
  readonly #configMaps: Informer<ApiObject>;
  readonly #data: { "ca.crt": string };

  /**
   * @param context - what the controllers share
   * @param caBundle - the authority that signs the certificate of the server, in PEM
   */
  constructor(context: WorkloadContext, caBundle: string) {
    const { engine } = context;
    this.#data = { "ca.crt": caBundle };
    this.#accountClient = new SystemClient(engine, "service-account-controller");
    this.#certificateClient = new SystemClient(engine, "root-ca-cert-publisher");
    this.#namespaces = context.informer("", "namespaces");
    this.#accounts = context.informer("", "serviceaccounts", accountName);
    this.#configMaps = context.informer("", "configmaps", certificateName);
    const queue = new WorkQueue(engine, (namespace) => this.#sync(namespace));
    this.#namespaces.onChange((namespace) => {
      if (namespace !== undefined) queue.add(keyOf(namespace));
    });
    this.#accounts.onChange((account, old) => {
      if (account === undefined) queue.add(old?.metadata.namespace as string);
    });
    this.#configMaps.onChange((map, old) => queue.add((map ?? old)?.metadata.namespace as string));
  }

  async #sync(namespace: string): Promise<void> {
    const found = this.#namespaces.byKey(namespace);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
    try {
      if (this.#accounts.get(namespace, accountName) === undefined) {
        const metadata = { name: accountName, namespace };
        await this.#accountClient.create(this.#accounts.type, { apiVersion: "v1", kind: "ServiceAccount", metadata });
      }
      await this.#publish(namespace);
    } catch (error) {
      const gone = error instanceof StatusError && (error.reason === "NotFound" || error.reason === "AlreadyExists");
      if (!gone && !isNamespaceTerminating(error)) throw error;
    }
  }

  async #publish(namespace: string): Promise<void> {
    const annotations = { "kubernetes.io/description": description };
    const present = this.#configMaps.get(namespace, certificateName);
    if (present === undefined) {
      const metadata = { name: certificateName, namespace, annotations };
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { ...this.#data } };
      await this.#certificateClient.create(this.#configMaps.type, map);
      return;
    }
    const described = Boolean(present.metadata.annotations?.["kubernetes.io/description"]);
    if (described && equalJson(present.data ?? null, this.#data)) return;
    const id = { type: this.#configMaps.type, namespace, name: certificateName };
    await this.#certificateClient.update(id, (object) => {
      object.data = { ...this.#data };
      object.metadata.annotations = { ...object.metadata.annotations, ...annotations };
    });
  }
}
