/** Collects changes in quick succession into one batch: an editor's save causes several events. */
export interface Debouncer {
  /** Records a change of a path. */
  add(path: string): void;
  /** Waits for changes and a quiet period after them, and returns them; undefined if the signal is aborted. */
  next(): Promise<ChangeBatch | undefined>;
}

/** The changes of one batch. */
export interface ChangeBatch {
  readonly paths: ReadonlySet<string>;
  /** The time of the first change, by `performance.now()`. */
  readonly since: number;
}

/**
 * Creates a debouncer.
 *
 * @param signal ends the wait for changes
 * @param options milliseconds: `quiet` is the time without a change that ends a batch, `longest` the maximum duration of a batch
 */
export function createDebouncer(signal: AbortSignal, { quiet = 15, longest = 60 } = {}): Debouncer {
  let paths = new Set<string>();
  let answer: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let first = 0;
  const due = () => {
    if (!answer || (paths.size === 0 && !signal.aborted)) return;
    clearTimeout(timer);
    if (signal.aborted) return answer();
    const left = Math.min(quiet, first + longest - performance.now());
    timer = setTimeout(() => answer?.(), Math.max(0, left));
  };
  signal.addEventListener("abort", due, { once: true });
  return {
    add(path) {
      if (paths.size === 0) first = performance.now();
      paths.add(path);
      due();
    },
    async next() {
      await new Promise<void>((resolve) => {
        answer = resolve;
        due();
      });
      answer = undefined;
      const batch = paths;
      paths = new Set();
      return signal.aborted ? undefined : { paths: batch, since: first };
    },
  };
}
