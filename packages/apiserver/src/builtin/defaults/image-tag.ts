const part = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const host = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const algorithm = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*";
const repository = new RegExp(`^${part}(?:/${part})*(?::(\\w[\\w.-]{0,127}))?(?:@(${algorithm}:[0-9a-fA-F]{32,}))?$`);

/** Splits off the host of an image, if it has one. */
function splitHost(image: string): [host: string | undefined, rest: string] {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(0, slash));
  const isHost = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  return slash < 0 || !isHost ? [undefined, image] : [first, image.slice(slash + 1)];
}

/**
 * Finds the tag of an image.
 *
 * @param image - the reference of the image
 * @returns the tag; `latest` without tag and digest, and the empty text for a digest alone or an invalid reference
 */
export function imageTag(image: string): string {
  const [registry, rest] = splitHost(image);
  const match = repository.exec(rest);
  const isIdentifier = /^[a-f0-9]{64}$/.test(image);
  if (match === null || isIdentifier || (registry !== undefined && !host.test(registry))) return "";
  const [, tag, digest] = match;
  return tag ?? (digest === undefined ? "latest" : "");
}
