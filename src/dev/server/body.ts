import type { IncomingMessage } from "node:http";
import { RequestError } from "@kubewright/dashboard/protocol";

const maxSize = 4 * 1024 * 1024;

/**
 * Reads the body of a request as a JSON object.
 *
 * @throws RequestError if it isn't one, or is too large
 */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  // A form of another site can't send this type without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new RequestError(415, "the content type must be application/json");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxSize) throw new RequestError(413, `the body must not be larger than ${maxSize} bytes`);
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}");
  } catch {
    throw new RequestError(400, "the body isn't valid JSON");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new RequestError(400, "the body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

/** Returns a field that must be a text; `undefined` if it is missing. */
export function textOf(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new RequestError(400, `${name}: must be a text`);
  return value;
}

/** Returns a field that must be a text. */
export function requiredText(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = textOf(body, name);
  if (value === undefined || value === "") throw new RequestError(400, `${name}: is required`);
  return value;
}
