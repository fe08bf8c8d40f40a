/** Where the steps of long work are told. */
export interface Progress {
  /** A line that stays. */
  note(text: string): void;
  /** A step that takes a while: a running clock on a terminal, a line at its start elsewhere. */
  step<T>(text: string, work: () => Promise<T>): Promise<T>;
}

/** Tells progress on stderr, so that stdout holds nothing but results. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const note = (text: string): void => void stream.write(`${text}\n`);
  return {
    note,
    async step(text, work) {
      const started = performance.now();
      const seconds = (): string => `${Math.round((performance.now() - started) / 1000)} s`;
      if (!stream.isTTY) {
        note(`${text} ...`);
        const result = await work();
        note(`${text}: done in ${seconds()}`);
        return result;
      }
      const show = (): void => void stream.write(`\r\u001b[K${text} ... ${seconds()}`);
      show();
      const timer = setInterval(show, 1000);
      try {
        return await work();
      } finally {
        clearInterval(timer);
        stream.write(`\r\u001b[K${text}: ${seconds()}\n`);
      }
    },
  };
}
