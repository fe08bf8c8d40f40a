/** The wait of a scenario, which waits for one thing at a time. */
export class ScenarioWait {
  #pending: { until: number | undefined; resolve: () => void } | undefined;

  /** The wait in progress. It ends at a virtual time in milliseconds, or without `until` when the world is settled. */
  get pending(): { readonly until: number | undefined } | undefined {
    return this.#pending;
  }

  /**
   * Begins a wait.
   *
   * @param until - virtual time in milliseconds since the start; without it, the wait ends when the world is settled
   * @throws Error if the scenario already waits
   */
  begin(until: number | undefined): Promise<void> {
    if (this.#pending) throw new Error("the scenario already waits: await settled() and advance() one after another");
    return new Promise((resolve) => {
      this.#pending = { until, resolve };
    });
  }

  /** Lets the scenario continue. */
  end(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve();
  }
}
