/** Reports the steps of long operations. */
export interface Progress {
  /** Prints a permanent line. */
  note(text: string): void;
  /** Runs a long step: shows a running clock on a terminal, or otherwise a line at its start. */
  step<T>(text: string, work: () => Promise<T>): Promise<T>;
}

/** Creates a reporter on stderr, so that stdout contains only results. */
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
