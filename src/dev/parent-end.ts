/** Milliseconds between two checks. */
const checkTime = 500;

/**
 * Calls a function when the parent process ends, such as npm or a shell that was killed. Without it, the session would run unnoticed. A
 * process whose parent has ended before continues to run: it was put into the background on purpose.
 *
 * @returns a function that ends the checks
 */
export function onParentEnd(listener: () => void): () => void {
  const parent = process.ppid;
  // On Windows, it stays the same.
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, checkTime);
  timer.unref();
  return () => clearInterval(timer);
}
