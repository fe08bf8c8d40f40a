import { applyDocuments } from "./apply.ts";
import type { TargetResolver } from "./kinds/target-resolver.ts";
import { fieldManager, type KubeObject, pathOf, statusOf } from "./kube-client.ts";
import { parseDocuments } from "./manifests.ts";
import type { AppliedObject, ObjectRef } from "./protocol.ts";
import { RequestError } from "./server/body.ts";
import type { DevSession } from "./session.ts";
import { hasMaskedValue } from "./store/secrets.ts";

/** Annotation of the simulated workloads. */
const failAnnotation = "apiserver.kubewright.dev/fail";

/** Changes objects of the cluster of a session at the request of a person. */
export class ObjectActions {
  readonly #session: Pick<DevSession, "client" | "options">;
  readonly #targets: TargetResolver;

  constructor(session: Pick<DevSession, "client" | "options">, targets: TargetResolver) {
    this.#session = session;
    this.#targets = targets;
  }

  /** @throws RequestError if a document isn't valid, or the replaced object has changed */
  async apply(yaml: string, replace: boolean): Promise<readonly AppliedObject[]> {
    let documents: KubeObject[];
    try {
      documents = parseDocuments(yaml);
    } catch (error) {
      throw new RequestError(400, `the YAML can't be read: ${(error as Error).message}`);
    }
    if (documents.length === 0) throw new RequestError(400, "the YAML contains no object");
    if (documents.some(hasMaskedValue)) {
      throw new RequestError(
        422,
        "a value of the Secret is hidden, so that applying it would destroy it",
        "use kubectl edit",
      );
    }
    const plain = documents.map(({ metadata: { managedFields: _, ...metadata } = {}, ...rest }) => ({
      ...rest,
      metadata,
    }));
    if (!replace) return applyDocuments(this.#session.client, plain);
    const applied: AppliedObject[] = [];
    for (const document of plain) applied.push(await this.#replace(document));
    return applied;
  }

  /** @throws RequestError if the server refuses it */
  async delete(ref: ObjectRef): Promise<void> {
    const { resource, namespace } = await this.#resource(await this.#targets.resolve(ref));
    const path = pathOf(resource, namespace, ref.name);
    await this.#send(() =>
      this.#session.client.request({ method: "DELETE", path, query: { propagationPolicy: "Background" } }),
    );
  }

  /** @throws RequestError if the object can't be scaled */
  async scale(ref: ObjectRef, replicas: number): Promise<void> {
    if (!Number.isInteger(replicas) || replicas < 0) {
      throw new RequestError(400, `replicas: ${replicas} must be an integer of at least 0`);
    }
    const { resource, namespace } = await this.#resource(await this.#targets.resolve(ref));
    const canScale = resource.subresources.includes("scale");
    await this.#send(() =>
      this.#session.client.request({
        method: "PATCH",
        path: pathOf(resource, namespace, ref.name, canScale ? "scale" : ""),
        query: { fieldManager },
        contentType: "application/merge-patch+json",
        body: { spec: { replicas } },
      }),
    );
  }

  /** Lets a Pod fail: with simulated workloads by an annotation, and else by its status. */
  async failPod(namespace: string, name: string): Promise<void> {
    const { client, options } = this.#session;
    const pod = await client.resourceOf("v1", "Pod");
    const isEmbedded = options.engine === "embedded";
    const path = pathOf(pod, namespace, name, isEmbedded ? "" : "status");
    const body = isEmbedded
      ? { metadata: { annotations: { [failAnnotation]: "crash" } } }
      : { status: { phase: "Failed", reason: "Fault", message: "failed by scaffold dev" } };
    const query = { fieldManager };
    await this.#send(() =>
      client.request({ method: "PATCH", path, query, contentType: "application/merge-patch+json", body }),
    );
  }

  async #resource({ apiVersion = "", kind, namespace }: Omit<ObjectRef, "name">) {
    const resource = await this.#send(() => this.#session.client.resourceOf(apiVersion, kind));
    return { resource, namespace: namespace || (resource.namespaced ? "default" : "") };
  }

  async #replace(document: KubeObject): Promise<AppliedObject> {
    const { apiVersion = "", kind = "", metadata = {} } = document;
    const { name = "", resourceVersion } = metadata;
    if (!resourceVersion) throw new RequestError(400, "metadata.resourceVersion: is required for an edit");
    const { resource, namespace } = await this.#resource({
      apiVersion,
      kind,
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    });
    const path = pathOf(resource, namespace, name);
    const after = (await this.#send(() =>
      this.#session.client.request({ method: "PUT", path, query: { fieldManager }, body: document }),
    )) as KubeObject;
    const action = after.metadata?.resourceVersion === resourceVersion ? "unchanged" : "configured";
    return { kind, name, ...(namespace === "" ? {} : { namespace }), action };
  }

  /** Answers errors of the API server with its status. */
  async #send<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw new RequestError(statusOf(error) ?? 502, (error as Error).message);
    }
  }
}
