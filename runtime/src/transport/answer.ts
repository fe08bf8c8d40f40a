import { ApiError } from "../errors/api-error.ts";
import { isStatus, reasonForCode, type Status } from "../errors/status.ts";
import { TransportError } from "../errors/transport-error.ts";
import { parseJson } from "../json/parse.ts";
import { mayHoldSecrets, redactText } from "../log/redact-text.ts";
import { BodyTooLargeError } from "./bytes.ts";
import type { WireAnswer } from "./exchange.ts";

// Enough for every Status; an error page of a proxy isn't worth more.
const MAX_ERROR_BODY = 1024 * 1024;
/**
 * Bytes of an answer's body by default: a list of 20,000 objects of 13 kB each passes. V8 holds no text of more than 512 MiB, and
 * parsing takes several times the text's size.
 */
export const defaultMaxResponseBytes: number = 256 * 1024 * 1024;
/** V8's longest text, in bytes. */
export const maxTextBytes: number = 2 ** 29 - 24;
const EXCERPT = 200;

/** Whether the answer says that its body is JSON. `undefined` where it says nothing. */
export function saysJson(answer: WireAnswer): boolean | undefined {
  const header = answer.headers["content-type"];
  if (header === undefined || header === "") return undefined;
  const mediaType = header.split(";", 1)[0]!.trim().toLowerCase();
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

/** How the body of a 2xx answer is read. */
export interface ReadOptions {
  /** Whether JSON was asked for; text otherwise. */
  wantsJson: boolean;
  /** Bytes. */
  maxBytes: number;
}

/** The parsed body of a 2xx answer. Rejects when it isn't what was asked for: success that can't be read is no success. */
export async function readSuccess(answer: WireAnswer, what: string, options: ReadOptions): Promise<unknown> {
  const { wantsJson, maxBytes } = options;
  checkEncoding(answer, what);
  if (Number(answer.headers["content-length"]) > maxBytes) {
    answer.body.cancel(new Error("the body is too large"));
    throw tooLarge(what, maxBytes);
  }
  const text = await answer.body.text(maxBytes).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError ? tooLarge(what, maxBytes) : error;
  });
  if (!wantsJson) return text;
  if (text === "") return undefined;
  if (saysJson(answer) === false) throw notJson(answer, what, text);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    // The parser's own error quotes the text.
    throw notJson(answer, what, text, mayHoldSecrets(what) ? undefined : error);
  }
  if (isStatus(body) && body.status === "Failure") throw new ApiError(complete(body, answer, what));
  return body;
}

/** The error for an answer that isn't 2xx: the server's own Status, or one made from what it sent. */
export async function readFailure(answer: WireAnswer, what: string, method: string): Promise<ApiError> {
  let text = "";
  try {
    text = await answer.body.beginning(MAX_ERROR_BODY);
  } catch {
    // The status line alone says enough.
  }
  if (saysJson(answer) !== false) {
    try {
      const body = parseJson(text);
      if (isStatus(body)) return new ApiError(complete(body, answer, what));
    } catch {
      // Not JSON: the text is shown as it is.
    }
  }
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const title = `${answer.status} ${answer.statusText || STATUS_CODES[answer.status] || ""}`.trim();
  const shown = excerpt(text, what);
  const after = retryAfterSeconds(answer);
  return ApiError.create(
    answer.status,
    reasonForCode(answer.status, method),
    `${what}: the server answered ${title}${shown === "" || shown === title ? "" : `: ${shown}`}`,
    {
      causes: [{ reason: "UnexpectedServerResponse", message: shown }],
      ...(after === undefined ? {} : { retryAfterSeconds: after }),
    },
  );
}

/** Seconds of a `Retry-After` header; only whole numbers count, as in client-go. */
export function retryAfterSeconds(answer: WireAnswer): number | undefined {
  const header = answer.headers["retry-after"];
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}

/**
 * No request asks for a compressed answer, and none is unpacked: a few bytes can stand for gigabytes.
 *
 * @throws {TransportError} for a body in an encoding that wasn't asked for
 */
export function checkEncoding(answer: WireAnswer, what: string): void {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  answer.body.cancel(new Error("the body is encoded"));
  throw new TransportError(
    "EBADANSWER",
    `${what}: the answer has the content encoding ${JSON.stringify(encoding.slice(0, 40))}, which was not requested`,
  );
}

function tooLarge(what: string, limit: number): TransportError {
  return new TransportError(
    "EBADANSWER",
    `${what}: the answer is larger than ${limit} bytes (maxResponseBytes of the configuration); list in pages (limit, continue) or raise it`,
  );
}

/** A 200 that is an HTML login page, say. */
export function notJson(answer: WireAnswer, what: string, text: string, cause?: unknown): TransportError {
  const type = answer.headers["content-type"] ?? "no content type";
  const shown = excerpt(text, what);
  return new TransportError(
    "EBADANSWER",
    `${what}: the server answered ${answer.status} with something else than JSON (${type})${shown === "" ? "" : `: ${shown}`}`,
    { cause },
  );
}

function complete(status: Status, answer: WireAnswer, what: string): Status {
  const code = status.code || answer.status;
  const after = retryAfterSeconds(answer);
  return {
    ...status,
    metadata: status.metadata ?? {},
    code,
    reason: status.reason || reasonForCode(code),
    message: status.message || `${what}: the server answered ${code}`,
    ...(after !== undefined && status.details?.retryAfterSeconds === undefined
      ? { details: { ...status.details, retryAfterSeconds: after } }
      : {}),
  };
}

// One readable line of a body, tags and scripts of an HTML page left out.
function excerpt(text: string, what: string): string {
  if (mayHoldSecrets(what)) return "";
  const head = text.slice(0, 64 * 1024);
  const page = /<(!doctype|html|body)\b/i.test(head);
  const bare = page
    ? head.replaceAll(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ").replaceAll(/<[^<>]*>/g, " ")
    : head;
  const plain = bare.replaceAll(/\s+/g, " ").trim();
  return redactText(plain.length > EXCERPT ? `${plain.slice(0, EXCERPT)}…` : plain);
}
