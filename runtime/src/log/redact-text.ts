/** Stands for what a text must not show. */
export const redactedText = "[redacted]";

/** Names of fields whose value is a credential, at their end and without dashes, underscores and dots. */
const sensitiveEnd =
  /(?:password|passwd|passphrase|token|clientsecret|apisecret|secretkey|secretvalue|apikey|privatekey|accesskey|clientkey|keydata|authorization|cookie|credential|credentials)$/;

/** Decisions per name of a field: few names make up nearly all log lines. */
const decisions = new Map<string, boolean>();
/** Names come from user data too. */
const maxDecisions = 2000;

/** Whether a field, header, flag or variable of this name holds a credential. */
export function isSensitiveName(name: string): boolean {
  const known = decisions.get(name);
  if (known !== undefined) return known;
  const isSensitive = sensitiveEnd.test(
    name
      .slice(-64)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ""),
  );
  if (decisions.size >= maxDecisions) decisions.clear();
  decisions.set(name, isSensitive);
  return isSensitive;
}

/** No rule below applies to a text without one of these characters: names of objects, for example. */
const suspectCharacter = /[ :=.{]/;
const suspect = /key|token|secret|passw|passphrase|bearer|authorization|cookie|eyJ|:\/\/|credential|kind/i;
/** The text of an object whose credentials have no names to find them by. */
const secretObject =
  /kind\\*["']?\s*[:=]\s*\\*["']?(Secret|SecretList|Config|ExecCredential|TokenReview|TokenRequest)\b/;
const word =
  "[\\w.-]*(?:password|passwd|passphrase|token|secret|api[-_]?key|private[-_]?key|access[-_]?key|client[-_]?key|key-data|credentials?)";
const rules: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]{0,40})PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g, redactedText],
  [/\b(authorization|cookie)(["']?\s*[:=]\s*["']?)[^\r\n"',}]+/gi, `$1$2${redactedText}`],
  [/\b(bearer)\s+[\w.~+/=-]{6,}/gi, `$1 ${redactedText}`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, redactedText],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]+@/gi, `$1${redactedText}@`],
  // `"password": "…"` of JSON, also as text within a JSON text.
  [new RegExp(`(\\\\*["'])(${word})\\1(\\s*:\\s*)\\1(?:(?!\\1)[\\s\\S]){0,100000}`, "gi"), `$1$2$1$3$1${redactedText}`],
  [new RegExp(`\\b(${word})=(?:"[^"]*"|'[^']*'|[^\\s,;&"']+)`, "gi"), `$1=${redactedText}`],
  [new RegExp(`(--${word})\\s+(?:"[^"]*"|'[^']*'|[^\\s,;&"']+)`, "gi"), `$1 ${redactedText}`],
  [
    /\b(password|passwd|passphrase|token|client-key-data)(:\s+)[^\s,;"'{[]+(?=\s*(?:$|[\r\n,;}]))/gi,
    `$1$2${redactedText}`,
  ],
];
/** Longer texts aren't searched: their end is cut off. */
const maxLength = 65_536;

/**
 * A text without credentials that can be recognized as such: private keys, bearer tokens, passwords in URLs, values behind names such
 * as `password=`, and the texts of Secrets and kubeconfigs.
 */
export function redactText(text: string): string {
  if (!suspectCharacter.test(text) || !suspect.test(text)) return text;
  const kind = secretObject.exec(text)?.[1];
  if (kind !== undefined) return `${redactedText} (text of a ${kind})`;
  let result = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement);
  return result;
}

/** Whether answers to a request may hold credentials: `request` is its URL or path. */
export function mayHoldSecrets(request: string): boolean {
  return /\/(?:secrets|token|tokenreviews)(?:[/?\s]|$)/.test(request);
}
