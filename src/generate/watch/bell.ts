/** Gathers what happens in quick succession: an editor's save is several events. */
export interface Bell {
  /** Tells of a change at a path. */
  ring(path: string): void;
  /** What was rung for since the last call, once it is quiet; undefined when the signal is aborted. */
  next(): Promise<Rung | undefined>;
}

export interface Rung {
  readonly paths: ReadonlySet<string>;
  /** When the first of them was told, by `performance.now()`. */
  readonly since: number;
}

/** Quiet is `quiet` milliseconds without a ring; after `longest` it is answered all the same. */
export function createBell(signal: AbortSignal, { quiet = 15, longest = 60 } = {}): Bell {
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
    ring(path) {
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
      const rung = paths;
      paths = new Set();
      return signal.aborted ? undefined : { paths: rung, since: first };
    },
  };
}
