/**
 * The most processor time in milliseconds for input of which linear code needs less than a second. On a machine with a load of
 * 20, the same work takes several times as long. Code that takes exponential time needs far more.
 */
export const mostProcessorTime = 30_000;

/**
 * Begins to measure the processor time of this process. The time of other processes doesn't count, so a busy machine doesn't
 * change it.
 *
 * @returns a function that returns the processor time since then, in milliseconds
 */
export function processorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
