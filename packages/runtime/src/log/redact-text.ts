/** Replaces text that must not be shown. */
export const redactedText = "[redacted]";

/** Names of fields that contain credentials, by their end and without dashes, underscores and dots. */
const sensitiveEnd =
  /(?:password|passwd|passphrase|token|clientsecret|apisecret|secretkey|secretvalue|apikey|privatekey|accesskey|clientkey|keydata|authorization|cookie|credential|credentials)$/;

/** Decisions per field name: few names make up nearly all log lines. */
const decisions = new Map<string, boolean>();
/** Limits the decisions, since names can come from user data. */
const maxDecisions = 2000;

/** Checks whether a field, header, flag or variable with this name contains a credential. */
export function isSensitiveName(name: string): boolean {
  const decision = decisions.get(name);
  if (decision !== undefined) return decision;
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

/** No rule below applies to a string without one of these characters, such as most object names. */
const suspectCharacter = /[ :=.{]/;
const suspect = /key|token|secret|passw|passphrase|bearer|authorization|cookie|eyJ|:\/\/|credential|kind/i;
/** Matches the text of an object whose credentials can't be found by field names. */
const secretObject =
  /kind\\*["']?\s*[:=]\s*\\*["']?(Secret|SecretList|Config|ExecCredential|TokenReview|TokenRequest)\b/;
const word =
  "[\\w.-]*(?:password|passwd|passphrase|token|secret|api[-_]?key|private[-_]?key|access[-_]?key|client[-_]?key|key-data|credentials?)";
const rules: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]{0,40})PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g, redactedText],
  [/\b(authorization|cookie)(["']?\s*[:=]\s*["']?)[^\r\n"',}]+/gi, `$1$2${redactedText}`],
  [/\b(bearer)\s+[\w.~+/=-]{6,}/gi, `$1 ${redactedText}`],
  [/(?<![\w-])(?=[\w-]*\.[\w-]{5})((?:[\w-]*?-)?)eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, `$1${redactedText}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]+@/gi, `$1${redactedText}@`],
  // `"password": "…"` in JSON, also within a JSON string.
  [
    new RegExp(`(?<!\\\\)(\\\\*["'])(${word})\\1(\\s*:\\s*)\\1(?:(?!\\1)[\\s\\S]){0,100000}`, "gi"),
    `$1$2$1$3$1${redactedText}`,
  ],
  [new RegExp(`(?<![\\w.-])(${word})=(?:"[^"]*"|'[^']*'|[^\\s,;&"']+)`, "gi"), `$1=${redactedText}`],
  [new RegExp(`(?<![\\w.-])(?=[\\w.-]*--)(${word})\\s+(?:"[^"]*"|'[^']*'|[^\\s,;&"']+)`, "gi"), `$1 ${redactedText}`],
  [
    /\b(password|passwd|passphrase|token|client-key-data)(:\s+)[^\s,;"'{[]+(?=\s*(?:$|[\r\n,;}]))/gi,
    `$1$2${redactedText}`,
  ],
];
/** Maximum length of a text. The rest is cut off. */
const maxLength = 65_536;

/**
 * Removes credentials that can be recognized from a text: private keys, bearer tokens, passwords in URLs, values after
 * names such as `password=`, and the texts of Secrets and kubeconfigs.
 */
export function redactText(text: string): string {
  if (!suspectCharacter.test(text) || !suspect.test(text)) return text;
  const kind = secretObject.exec(text)?.[1];
  if (kind !== undefined) return `${redactedText} (text of a ${kind})`;
  let result = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement);
  return result;
}

/** Checks whether responses to a request can contain credentials. `request` is its URL or path. */
export function mayHoldSecrets(request: string): boolean {
  return /\/(?:secrets|token|tokenreviews)(?:[/?\s]|$)/.test(request);
}
