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
