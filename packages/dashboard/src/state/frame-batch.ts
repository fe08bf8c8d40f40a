/** Frames don't run in hidden pages, but messages still arrive. */
const hiddenTime = 500;

/**
 * Collects items, and hands them over together, at most once per frame.
 *
 * @param limit - most items to keep; older ones are dropped
 * @returns the function that adds an item
 */
export function frameBatch<T>(handle: (items: readonly T[]) => void, limit = 5000): (item: T) => void {
  let items: T[] = [];
  let isScheduled = false;
  const flush = (): void => {
    isScheduled = false;
    const batch = items;
    items = [];
    handle(batch);
  };
  return (item) => {
    items.push(item);
    if (items.length > limit) items = items.slice(-limit / 2);
    if (isScheduled) return;
    isScheduled = true;
    if (document.hidden) setTimeout(flush, hiddenTime);
    else requestAnimationFrame(flush);
  };
}
