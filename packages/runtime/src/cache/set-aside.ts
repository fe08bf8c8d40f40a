import type { Logger } from "../log/logger.ts";
import { LineBudget } from "./line-budget.ts";

/** The fields that identify an object in the log. */
interface Identity {
  namespace: string | undefined;
  name: string | undefined;
  resourceVersion: string | undefined;
}

export interface SetAsideOptions {
  log: Logger;
  now: () => number;
  /** Called when an object is set aside (1) and when it no longer is (-1). */
  changed: (delta: 1 | -1) => void;
}

/** The objects of an informer whose transform fails. Each is logged once per state. */
export class SetAside {
  readonly #options: SetAsideOptions;
  readonly #lines: LineBudget;
  readonly #objects = new Map<string, Identity>();

  constructor(options: SetAsideOptions) {
    this.#options = options;
    this.#lines = new LineBudget(options.now);
  }

  add(key: string, object: Identity, error: unknown): void {
    const earlier = this.#objects.get(key);
    this.#objects.set(key, object);
    if (!earlier) this.#options.changed(1);
    else if (earlier.resourceVersion === object.resourceVersion) return;
    const { log } = this.#options;
    const message = "Transform failed, the object is set aside until it changes";
    this.#lines.write((fields) => log.error(error, message, fields), { ...object });
  }

  /** Removes an object that was prepared successfully or deleted. */
  release(key: string): void {
    if (this.#objects.size > 0 && this.#objects.delete(key)) this.#options.changed(-1);
  }

  /** Releases all objects for which `isKept` returns false. */
  keep(isKept: (key: string, namespace: string) => boolean): void {
    for (const [key, { namespace = "" }] of this.#objects) if (!isKept(key, namespace)) this.release(key);
  }
}
