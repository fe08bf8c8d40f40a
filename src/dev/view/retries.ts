import type { DevEvent } from "@kubewright/dashboard/protocol";

/** Milliseconds until a retry from which on its failure is printed again: earlier ones follow each other too fast to be read. */
const shownFrom = 5000;
/** Number of failing objects that are remembered. */
const maxRemembered = 10_000;

/** Selects which failures of an object are printed: the first one, and later those that leave time to read. */
export class Retries {
  /** The error of each failing object. */
  readonly #failing = new Map<string, string>();

  /** Whether an event repeats a failure that was just printed. The next line of the object contains the number of failures. */
  isRepeated(event: DevEvent): boolean {
    if (event.event === "started") this.#failing.clear();
    if (event.event !== "reconciled") return false;
    const { controller, namespace, name, error, file, line, retryAfter = 0 } = event;
    const object = JSON.stringify([controller, namespace, name]);
    if (error === undefined) {
      this.#failing.delete(object);
      return false;
    }
    // Messages can contain times or ids, but their position is the same.
    const failure = file === undefined ? error : `${file}:${line}`;
    const isSame = this.#failing.get(object) === failure;
    if (this.#failing.size >= maxRemembered) this.#failing.clear();
    this.#failing.set(object, failure);
    return isSame && retryAfter < shownFrom;
  }
}
