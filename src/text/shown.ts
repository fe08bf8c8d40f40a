/** Formats a value for messages: quoted, with control characters escaped, and shortened if it is long. */
export function shown(value: string): string {
  const cut = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  return printable(JSON.stringify(cut));
}

/** Escapes control characters, and characters that change the text direction. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
