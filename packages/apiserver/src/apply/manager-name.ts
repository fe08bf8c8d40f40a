const maximumLength = 128;

/**
 * Returns the name of the manager of a request.
 *
 * @param fieldManager - the parameter `fieldManager`; empty if absent
 * @param userAgent - the header `User-Agent`; empty if absent
 * @returns the parameter, or the printable characters of the user agent before its first slash
 */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== "") return fieldManager;
  let name = "";
  let length = 0;
  for (const char of userAgent.split("/", 1)[0] ?? "") {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) continue;
    length += Buffer.byteLength(char);
    if (length > maximumLength) break;
    name += char;
  }
  return name;
}
