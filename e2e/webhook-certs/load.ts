// Calls of webhooks without a pause.

/** Results of the calls. */
export interface Called {
  /** How many were answered. */
  readonly calls: number;
  /** Errors of those that failed. */
  readonly failed: readonly string[];
}

export interface Load {
  /** Ends it when the calls that are on their way are answered. */
  stop(): Promise<Called>;
}

/** Calls, so many at a time, until it is stopped. */
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
