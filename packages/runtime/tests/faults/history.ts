import type { KubernetesObject } from "../../src/api/index.ts";
import type { Kind } from "../../src/api/kind.ts";
import type { Client, Stored } from "../../src/client/client.ts";

/** One state of an object, with its position in the server's order of writes. */
export interface Moment<T extends KubernetesObject> {
  version: bigint;
  object: Stored<T>;
}

/** Records every state of the objects of a kind in a namespace, from its start. */
export class History<T extends KubernetesObject> {
  readonly moments: Moment<T>[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  private constructor(client: Client, kind: Kind<T>, namespace: string, resourceVersion: string) {
    this.#running = this.#follow(client, kind, namespace, resourceVersion);
    // `stop` reports the error.
    this.#running.catch(() => {});
  }

  static async start<T extends KubernetesObject>(
    client: Client,
    kind: Kind<T>,
    namespace: string,
  ): Promise<History<T>> {
    const { metadata } = await client.list(kind, { namespace });
    return new History(client, kind, namespace, metadata.resourceVersion ?? "");
  }

  /** Stops recording. Rejects if events were missed. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #follow(client: Client, kind: Kind<T>, namespace: string, from: string): Promise<void> {
    const { signal } = this.#stop;
    let resourceVersion = from;
    while (!signal.aborted) {
      for await (const { object } of client.watch(kind, { namespace, resourceVersion, signal })) {
        resourceVersion = object.metadata.resourceVersion;
        this.moments.push({ version: BigInt(resourceVersion), object });
      }
    }
  }
}
