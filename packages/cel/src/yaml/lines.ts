/**
 * Iterates over the lines of a text, without their ends.
 *
 * @param text - the text
 * @returns each line with its position
 */
export function* linesOf(text: string): Iterable<{ line: string; index: number }> {
  const end = /\r\n?|\n/g;
  for (let index = 0; ; index = end.lastIndex) {
    end.lastIndex = index;
    const match = end.exec(text);
    yield { line: text.slice(index, match?.index), index };
    if (match === null) return;
  }
}
