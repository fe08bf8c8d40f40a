/** Milliseconds between two requests. */
const defaultInterval = 1000;

/** The part of a manager that is observed. */
export interface Answering {
  readonly isInspected: boolean;
  /** Rejects if the manager doesn't answer in time. */
  call(call: { readonly call: "faults" }): Promise<unknown>;
}

/** Notices if a manager stops to answer: endless loops block all its work, and nothing else would show it. */
export class Heartbeat {
  readonly #manager: Answering;
  readonly #onChange: (isAnswering: boolean) => void;
  readonly #timer: NodeJS.Timeout;
  #isWaiting = false;
  #isOver = false;
  #isAnswering = true;

  /**
   * @param onChange - called when the manager stops to answer, and when it answers again
   * @param interval - milliseconds between two requests
   */
  constructor(manager: Answering, onChange: (isAnswering: boolean) => void, interval: number = defaultInterval) {
    this.#manager = manager;
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.#beat(), interval).unref();
  }

  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#isWaiting || !this.#manager.isInspected) return;
    this.#isWaiting = true;
    const isAnswering = await this.#manager.call({ call: "faults" }).then(
      () => true,
      () => false,
    );
    this.#isWaiting = false;
    if (this.#isOver || isAnswering === this.#isAnswering) return;
    this.#isAnswering = isAnswering;
    this.#onChange(isAnswering);
  }
}
