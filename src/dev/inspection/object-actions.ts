import { type AppliedObject, type ObjectRef, RequestError } from "@kubewright/dashboard/protocol";
import { applyDocuments } from "../client/apply.ts";
import { fieldManager, type KubeClient, type KubeObject, pathOf, statusOf } from "../client/kube-client.ts";
import { parseDocuments } from "../client/manifests.ts";
import { hasMaskedValue } from "../store/secrets.ts";
import type { TargetResolver } from "../store/target-resolver.ts";

/** Changes objects of the cluster of a session at the request of a person. */
export class ObjectActions {
  readonly #client: KubeClient;
  readonly #targets: TargetResolver;

  constructor(client: KubeClient, targets: TargetResolver) {
    this.#client = client;
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
        "a value of a Secret is hidden, so that applying it would destroy it",
        "use kubectl edit",
      );
    }
    const plain = documents.map(({ metadata: { managedFields: _, ...metadata } = {}, ...rest }) => ({
      ...rest,
      metadata,
    }));
    if (!replace) return applyDocuments(this.#client, plain);
    const applied: AppliedObject[] = [];
    for (const document of plain) applied.push(await this.#replace(document));
    return applied;
  }

  /** @throws RequestError if an object doesn't exist */
  async checkExists(ref: ObjectRef): Promise<void> {
    const { resource, namespace } = await this.#resource(ref);
    try {
      await this.#client.get(resource, namespace, ref.name);
    } catch (error) {
      throw statusOf(error) === 404 ? objectNotFound({ ...ref, namespace }) : refused(error);
    }
  }

  /** @throws RequestError if the server refuses it */
  async delete(ref: ObjectRef): Promise<void> {
    const { resource, namespace } = await this.#resource(await this.#targets.resolve(ref));
    const path = pathOf(resource, namespace, ref.name);
    await answered(() => this.#client.request({ method: "DELETE", path, query: { propagationPolicy: "Background" } }));
  }

  /** @throws RequestError if the object can't be scaled */
  async scale(ref: ObjectRef, replicas: number): Promise<void> {
    if (!Number.isInteger(replicas) || replicas < 0) {
      throw new RequestError(400, `replicas: ${replicas} must be an integer of at least 0`);
    }
    const { resource, namespace } = await this.#resource(await this.#targets.resolve(ref));
    const canScale = resource.subresources.includes("scale");
    await answered(() =>
      this.#client.request({
        method: "PATCH",
        path: pathOf(resource, namespace, ref.name, canScale ? "scale" : ""),
        query: { fieldManager },
        contentType: "application/merge-patch+json",
        body: { spec: { replicas } },
      }),
    );
  }

  async #resource({ apiVersion = "", kind, namespace }: Omit<ObjectRef, "name">) {
    const resource = await answered(() => this.#client.resourceOf(apiVersion, kind));
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
    const after = (await answered(() =>
      this.#client.request({ method: "PUT", path, query: { fieldManager }, body: document }),
    )) as KubeObject;
    const action = after.metadata?.resourceVersion === resourceVersion ? "unchanged" : "configured";
    return { kind, name, ...(namespace === "" ? {} : { namespace }), action };
  }
}

/**
 * Answers errors of the API server with its status.
 *
 * @throws RequestError if the request fails
 */
export async function answered<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw refused(error);
  }
}

/** Returns the error for an object that the session or the cluster doesn't have. */
export function objectNotFound({ kind, namespace = "", name }: ObjectRef): RequestError {
  const object = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  return new RequestError(404, `${object} not found`, "see npx scaffold dev objects for the objects of the project");
}

function refused(error: unknown): RequestError {
  return new RequestError(statusOf(error) ?? 502, (error as Error).message);
}
