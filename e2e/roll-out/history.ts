import type { Client, Kind, KubernetesObject, Stored } from "@kubewright/runtime";
import type { Lease } from "@kubewright/runtime/api/coordination/v1";

/** A state of an object, with its position in the server's order of writes. */
interface Moment<T extends KubernetesObject> {
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

/** The start of a leader's term in the server's order of writes. The name is empty if the lease has no holder. */
interface Term {
  leader: string;
  from: bigint;
}

/** Returns the terms of all leaders. The label `candidate` of each lease contains the holder's name. */
export function termsOf(leases: readonly Moment<Lease>[]): Term[] {
  const all: (Term & { identity: string })[] = [];
  for (const { version, object } of leases) {
    const identity = object.spec?.holderIdentity ?? "";
    const leader = identity === "" ? "" : (object.metadata.labels?.candidate ?? "");
    if (all.at(-1)?.identity !== identity) all.push({ leader, from: version, identity });
  }
  return all;
}

/** Returns the holder of the lease at the time of a write. */
export function leaderAt(terms: readonly Term[], version: bigint): string | undefined {
  return terms.filter(({ from }) => from < version).at(-1)?.leader;
}
