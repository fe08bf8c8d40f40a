const named = /\.named\(".*?"\)/;

/**
 * Gives a text's controller the name that it will have. What the user has written on in the line of the name is no conflict then.
 *
 * @param old the text as it was scaffolded @param will as it would be scaffolded now
 */
export function renaming(old: string, will: string): (text: string) => string {
  const [from, to] = [old, will].map((text) => named.exec(text)?.[0]);
  return from === undefined || to === undefined ? (text) => text : (text) => text.replaceAll(from, to);
}
