import { setTimeout as sleep } from "node:timers/promises";
import { type Client, ignoreNotFound, type Kind, rawPatch } from "@kubewright/runtime";
import { Namespace, Secret } from "@kubewright/runtime/api/core/v1";
import { ConfigMap, Widget } from "../../packages/runtime/src/manager/widget.fixture.ts";
import { retiredLabel, soakLabel } from "./operator/protocol.ts";

const labels = `${soakLabel}=yes`;

/**
 * Namespaces that are created and deleted, with names that are never reused. The operator deletes those that are marked as
 * retired. This class replaces Kubernetes' namespace controller, which test servers don't have.
 */
export class Namespaces {
  retired = 0;
  readonly #client: Client;
  readonly #current: string[] = [];
  #sequence = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Creates the first namespaces. */
  async open(count: number): Promise<void> {
    for (let slot = 0; slot < count; slot++) this.#current.push(await this.#create());
  }

  /** Returns the namespace for an object's number: one of the current ones, or `default`. */
  of(number: number): string {
    return this.#current[number % (this.#current.length + 1)] ?? "default";
  }

  /**
   * Replaces one namespace after another, and finalizes the deleted ones, until the signal aborts.
   *
   * @param lifetime the lifetime of a namespace in milliseconds
   */
  async run(lifetime: number, signal: AbortSignal): Promise<void> {
    const count = this.#current.length;
    const started = performance.now();
    for (let next = 1; !signal.aborted; ) {
      if (performance.now() - started > (next * lifetime) / count) await this.#replace(next++ % count).catch(() => {});
      await this.finalize().catch(() => {});
      await sleep(1000, undefined, { signal }).catch(() => {});
    }
  }

  /** Marks all namespaces as retired. */
  async close(): Promise<void> {
    for (const name of this.#current.splice(0)) await this.#retire(name);
  }

  /** Removes the deleted namespaces that the operator has emptied. Returns the number of remaining ones. */
  async finalize(): Promise<number> {
    const { items } = await this.#client.list(Namespace, { labels });
    const deleted = items.filter(({ metadata }) => metadata.deletionTimestamp);
    let removed = 0;
    for (const namespace of deleted) {
      if (!(await this.#isEmpty(namespace.metadata.name))) continue;
      const emptied = { ...namespace, spec: { finalizers: [] } };
      await ignoreNotFound(this.#client.subResource("finalize").update(namespace, emptied));
      removed++;
    }
    return items.length - removed;
  }

  /** Deletes Widgets that were created after the operator had deleted the others. The operator deletes their dependents. */
  async #isEmpty(namespace: string): Promise<boolean> {
    await this.#client.deleteAllOf(Widget, { namespace });
    for (const kind of [Widget, ConfigMap, Secret] as readonly Kind[]) {
      if ((await this.#client.list(kind, { namespace, limit: 1 })).items.length > 0) return false;
    }
    return true;
  }

  async #create(): Promise<string> {
    const name = `soak-${this.#sequence++}`;
    await this.#client.create<Namespace>({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: { [soakLabel]: "yes" } },
    });
    return name;
  }

  async #replace(slot: number): Promise<void> {
    const old = this.#current[slot] ?? "";
    this.#current[slot] = await this.#create();
    await this.#retire(old);
  }

  async #retire(name: string): Promise<void> {
    const patch = rawPatch("application/merge-patch+json", { metadata: { labels: { [retiredLabel]: "yes" } } });
    for (let attempt = 0; ; attempt++) {
      try {
        await ignoreNotFound(
          this.#client.patch({ apiVersion: "v1", kind: "Namespace", metadata: { name } }, patch, {
            signal: AbortSignal.timeout(5000),
          }),
        );
        this.retired++;
        return;
      } catch (error) {
        // An outage ends eventually.
        if (attempt === 60) throw error;
        await sleep(1000);
      }
    }
  }
}
