// Runs many requests with a limit.

/**
 * Runs something for each number below a count.
 *
 * @param count - the number of runs
 * @param atATime - how many run at the same time
 * @param work - gets the number of the run, from 0
 */
export async function inParallel(
  count: number,
  atATime: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
