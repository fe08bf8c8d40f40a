import { Namespace } from "../../../packages/runtime/src/api/core/v1.ts";
import type { Client, Reader } from "../../../packages/runtime/src/client/client.ts";
import { ignoreNotFound } from "../../../packages/runtime/src/errors/predicates.ts";
import { Widget } from "../../../packages/runtime/src/manager/widget.fixture.ts";
import type { Context } from "../../../packages/runtime/src/reconcile/context.ts";
import type { Reconciler, Result } from "../../../packages/runtime/src/reconcile/reconciler.ts";
import type { Request } from "../../../packages/runtime/src/reconcile/request.ts";
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
