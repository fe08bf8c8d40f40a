// Calls webhooks without a pause.

/** The results of the calls. */
export interface Called {
  /** Number of successful calls. */
  readonly calls: number;
  /** Errors of failed calls. */
  readonly failed: readonly string[];
}

export interface Load {
  /** Stops, and waits for pending calls. */
  stop(): Promise<Called>;
}

/** Makes calls with a number of concurrent callers until it is stopped. */
export function startLoad(call: () => Promise<unknown>, callers: number): Load {
  let running = true;
  let calls = 0;
  const failed: string[] = [];
  const caller = async () => {
    while (running) {
      await call().then(
        () => calls++,
        (error: Error) => failed.push(error.message),
      );
    }
  };
  const all = Promise.all(Array.from({ length: callers }, caller));
  return {
    async stop() {
      running = false;
      await all;
      return { calls, failed };
    },
  };
}
