import { type Client, ignoreNotFound, isNotFound, rawPatch } from "@kubewright/runtime";
import { Widget, widget } from "../../packages/runtime/src/manager/widget.fixture.ts";
import type { Random } from "../../scripts/test-support/random.ts";
import type { Namespaces } from "./namespaces.ts";
import { numberOf, soakLabel } from "./operator/protocol.ts";

/** The label of the Widgets that the webhook reviews. */
export const reviewedLabel = "reviewed";

export interface ChangesOptions {
  client: Client;
  namespaces: Namespaces;
  random: Random;
  /** Changes per second. */
  rate: number;
  /** Maximum number of objects. */
  objects: number;
  signal: AbortSignal;
}

// A healthy server never has more at the same time. Changes that an unavailable server missed aren't sent later.
const mostAtATime = 100;
const maxWait = 5000;

/** Creates, changes and deletes Widgets at a steady rate. A change that no server confirms counts as failed. */
export class Changes {
  done = 0;
  failed = 0;
  /** Reviews that the webhook lost, by the server's message. */
  readonly lostReviews = new Map<string, number>();
  readonly #options: ChangesOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Resolves when the signal is aborted and the last change has a response. */
  async run(): Promise<void> {
    const { rate, signal, random, objects } = this.#options;
    const started = performance.now();
    for (let sequence = 0; !signal.aborted; ) {
      const due = Math.floor(((performance.now() - started) / 1000) * rate);
      for (; sequence < due; sequence++) {
        const number = random.int(objects);
        const isDeletion = random.chance(0.05);
        if (this.#running.size < mostAtATime) this.#start(number, isDeletion ? undefined : `color-${sequence}`);
        else this.failed++;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await Promise.all(this.#running);
  }

  #start(number: number, color: string | undefined): void {
    const change: Promise<void> = this.#change(number, color)
      .then(
        () => void this.done++,
        (error: unknown) => this.#fail(error),
      )
      .finally(() => this.#running.delete(change));
    this.#running.add(change);
  }

  #fail(error: unknown): void {
    this.failed++;
    const { message } = error as Error;
    if (message.includes("failed calling webhook")) {
      this.lostReviews.set(message, (this.lostReviews.get(message) ?? 0) + 1);
    }
  }

  async #change(number: number, color: string | undefined): Promise<void> {
    const { client, namespaces } = this.#options;
    const key = { namespace: namespaces.of(number), name: `soak-${number}` };
    const signal = AbortSignal.timeout(maxWait);
    if (color === undefined) {
      await ignoreNotFound(client.delete(Widget, key, { signal }));
      return;
    }
    const object = soakWidget(key, color);
    try {
      await client.patch(object, rawPatch("application/merge-patch+json", { spec: { color } }), { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(object, { signal });
    }
  }
}

function soakWidget({ namespace, name }: { namespace: string; name: string }, color: string): Widget {
  const made = widget(name, color, namespace);
  const isReviewed = numberOf(name) % 5 === 0 ? "yes" : "no";
  return { ...made, metadata: { ...made.metadata, labels: { [soakLabel]: "yes", [reviewedLabel]: isReviewed } } };
}
