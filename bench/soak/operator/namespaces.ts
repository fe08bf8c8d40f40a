import {
  type Client,
  type Context,
  ignoreNotFound,
  type Reader,
  type Reconciler,
  type Request,
  type Result,
} from "@kubewright/runtime";
import { Namespace } from "@kubewright/runtime/api/core/v1";
import { Widget } from "../../../packages/runtime/src/manager/widget.fixture.ts";
import { retiredLabel } from "./protocol.ts";

/**
 * Deletes each namespace that is marked as retired, with its Widgets. Its own deletion must not hide a namespace that
 * remains.
 */
export class NamespaceReconciler implements Reconciler {
  readonly contradictions: string[] = [];
  readonly #client: Client;
  readonly #live: Reader;

  constructor(client: Client, live: Reader) {
    this.#client = client;
    this.#live = live;
  }

  async reconcile(_ctx: Context, { name }: Request): Promise<Result | undefined> {
    const client = this.#client;
    const namespace = await ignoreNotFound(client.get(Namespace, { name }));
    if (!namespace?.metadata.labels?.[retiredLabel] || namespace.metadata.deletionTimestamp) return undefined;
    await client.deleteAllOf(Widget, { namespace: name });
    await ignoreNotFound(client.delete(namespace));
    const cached = await ignoreNotFound(client.get(Namespace, { name }));
    if (!cached && (await ignoreNotFound(this.#live.get(Namespace, { name })))) {
      this.contradictions.push(`namespace ${name} is not in the cache after its deletion, and the server still has it`);
    }
    return { requeueAfter: 5000 };
  }
}
