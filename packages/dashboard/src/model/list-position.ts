/**
 * Returns the position in a list to which a key leads. It can lie outside of the list.
 *
 * @param key - the name of the key, as in `KeyboardEvent.key`
 * @param position - the current position
 * @param pageSize - how many rows are visible
 * @param length - the number of rows
 * @returns the position; undefined for keys that don't move
 */
export function positionAfterKey(key: string, position: number, pageSize: number, length: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return position + 1;
    case "ArrowUp":
      return position - 1;
    case "PageDown":
      return position + pageSize;
    case "PageUp":
      return position - pageSize;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default:
      return undefined;
  }
}
