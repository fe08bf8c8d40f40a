const named = /\.named\(".*?"\)/;

/**
 * Returns a function that replaces the controller's old name with the new one. The user's changes in the same line then
 * cause no conflict.
 *
 * @param old the scaffolded text before the change
 * @param will the scaffolded text after the change
 */
export function renaming(old: string, will: string): (text: string) => string {
  const [from, to] = [old, will].map((text) => named.exec(text)?.[0]);
  return from === undefined || to === undefined ? (text) => text : (text) => text.replaceAll(from, to);
}
