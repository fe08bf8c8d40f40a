import type { KubernetesObject } from "../api/index.ts";
import type { Informer } from "../cache/informer.ts";
import type { Registration } from "../cache/registration.ts";
import type { EventHandler } from "../handler/event-handler.ts";
import { errorText } from "../log/error-text.ts";
import { type AnyEvent, passes } from "../predicate/combine.ts";
import type { Predicate } from "../predicate/predicate.ts";
import type { Source, SourceContext } from "./source.ts";

export interface KindSourceOptions<T extends KubernetesObject> {
  informer: Informer<T>;
  /** Made when the source starts: an owner's scope must be looked up first. */
  handler: () => EventHandler<T> | Promise<EventHandler<T>>;
  /** All must pass, in order. */
  predicates?: readonly Predicate<T>[];
}

/** The events of a watched kind. */
export class KindSource<T extends KubernetesObject> implements Source {
  readonly name: string;
  readonly #options: KindSourceOptions<T>;
  #registration: Registration | undefined;

  constructor(options: KindSourceOptions<T>) {
    this.#options = options;
    this.name = `kind source: ${options.informer.kind.kind}`;
  }

  async start({ context, queue }: SourceContext): Promise<void> {
    const { informer, predicates = [] } = this.#options;
    const handler = await this.#options.handler();
    const wanted = (event: AnyEvent<T>): boolean => predicates.every((predicate) => passes(predicate, event));
    const registration = informer.addHandler({
      create: (event) => (wanted({ type: "create", event }) ? handler.create(context, event, queue) : undefined),
      update: (event) => (wanted({ type: "update", event }) ? handler.update(context, event, queue) : undefined),
      delete: (event) => (wanted({ type: "delete", event }) ? handler.delete(context, event, queue) : undefined),
    });
    this.#registration = registration;
    // The informer belongs to the cache and goes on; a stopped controller must not be told of events any more.
    if (context.signal.aborted) registration.remove();
    else context.signal.addEventListener("abort", () => registration.remove(), { once: true });
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const { informer } = this.#options;
    const synced = this.#registration?.synced;
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        const why = informer.lastError;
        const cause = why === undefined ? "" : `: ${errorText(why)}`;
        reject(new Error(`timed out waiting for ${this.name} to be synced${cause}`, { cause: why }));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      void synced?.then(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      });
    });
  }
}
