const allCharacters = 4096;
const charactersOfOne = 256;

/**
 * Formats warnings as header fields (RFC 7234). If they are too long together, each one is shortened, and those beyond
 * the limit are left out.
 *
 * @param warnings - the texts, in their order
 * @returns the values of the header field Warning
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  // A text with control characters can't be sent at all.
  const texts = [...new Set(warnings)].filter((text) => text !== "" && !/\p{Cc}/u.test(text)).map((text) => [...text]);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  if (total <= allCharacters) return texts.map(header);
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= allCharacters) break;
    const short = text.slice(0, charactersOfOne);
    written += short.length;
    headers.push(header(short));
  }
  return headers;
}

function header(characters: readonly string[]): string {
  const quoted = characters.join("").replace(/[\\"]/g, "\\$&");
  // Header fields are bytes: Node.js takes one character for each.
  return `299 - "${Buffer.from(quoted).toString("latin1")}"`;
}
