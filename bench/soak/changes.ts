import type { Random } from "../../hack/differential-fuzz/random.ts";
import { type Client, rawPatch } from "../../runtime/src/client/index.ts";
import { ignoreNotFound, isNotFound } from "../../runtime/src/errors/index.ts";
import { Widget, widget } from "../../runtime/src/manager/widget.fixture.ts";

export interface ChangesOptions {
  client: Client;
  random: Random;
  /** A second. */
  rate: number;
  /** How many objects there may be. */
  objects: number;
  signal: AbortSignal;
}

// More than a healthy server ever has to do at a time: an absent one isn't owed the rest.
const mostAtATime = 100;
const patience = 5000;

/** Makes, changes and deletes Widgets at a steady rate. What fails for want of a server counts as not done. */
export class Changes {
  done = 0;
  failed = 0;
  readonly #options: ChangesOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Resolves when the signal has aborted and the last change is answered. */
  async run(): Promise<void> {
    const { rate, signal, random, objects } = this.#options;
    const started = performance.now();
    for (let sequence = 0; !signal.aborted; ) {
      const due = Math.floor(((performance.now() - started) / 1000) * rate);
      for (; sequence < due; sequence++) {
        const name = `soak-${random.int(objects)}`;
        const isDeletion = random.chance(0.05);
        if (this.#running.size < mostAtATime) this.#start(name, isDeletion ? undefined : `color-${sequence}`);
        else this.failed++;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(this.#running);
  }

  #start(name: string, color: string | undefined): void {
    const change: Promise<void> = this.#change(name, color)
      .then(
        () => void this.done++,
        () => void this.failed++,
      )
      .finally(() => this.#running.delete(change));
    this.#running.add(change);
  }

  async #change(name: string, color: string | undefined): Promise<void> {
    const { client } = this.#options;
    const signal = AbortSignal.timeout(patience);
    if (color === undefined) {
      await ignoreNotFound(client.delete(Widget, { namespace: "default", name }, { signal }));
      return;
    }
    const object = widget(name, color);
    try {
      await client.patch(object, rawPatch("application/merge-patch+json", { spec: { color } }), { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(object, { signal });
    }
  }
}
