/**
 * Splits a path at its slashes. Those at its beginning and end don't count.
 *
 * @param path - the path
 * @returns its parts; one empty part for the root
 */
export function partsOf(path: string): string[] {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end).split("/");
}
