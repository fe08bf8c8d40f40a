// The order of errors about the entries of one map, which is random on the real server.
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";

interface Cause {
  field: string;
  message: string;
}

/** The field without keys of maps; indexes stay. */
function withoutKeys({ field }: Cause): string {
  return field.replace(/\[[^\]]*[^\]\d][^\]]*\]/g, "");
}

function joined(causes: readonly Cause[]): string {
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(", ")}]`;
}

/**
 * Sorts the errors in an answer that are next to each other and about entries of one map.
 *
 * @param answer - the answer of a server
 * @returns the answer with its errors in an order that doesn't depend on the server
 */
export function inFixedOrder(answer: Json): Json {
  const body = isObject(answer) ? answer.body : undefined;
  const details = isObject(body) ? body.details : undefined;
  if (!isObject(body) || !isObject(details) || !Array.isArray(details.causes)) return answer;
  const causes = details.causes as unknown as Cause[];
  const sorted: Cause[] = [];
  for (let start = 0; start < causes.length; ) {
    const about = withoutKeys(causes[start] as Cause);
    let end = start + 1;
    while (end < causes.length && withoutKeys(causes[end] as Cause) === about) end++;
    const run = causes.slice(start, end);
    sorted.push(...run.sort((a, b) => (`${a.field} ${a.message}` < `${b.field} ${b.message}` ? -1 : 1)));
    start = end;
  }
  const message = String(body.message);
  const before = joined(causes);
  return {
    ...(answer as JsonObject),
    body: {
      ...body,
      message: message.endsWith(before) ? `${message.slice(0, -before.length)}${joined(sorted)}` : message,
      details: { ...details, causes: sorted as unknown as Json },
    },
  };
}
