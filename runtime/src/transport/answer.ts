import { ApiError } from "../errors/api-error.ts";
import { isStatus, reasonForCode, type Status } from "../errors/status.ts";
import { TransportError } from "../errors/transport-error.ts";
import { parseJson } from "../json/parse.ts";
import type { WireAnswer } from "./exchange.ts";

// Enough for every Status; an error page of a proxy isn't worth more.
const MAX_ERROR_BODY = 1024 * 1024;
const EXCERPT = 200;

/** Whether the answer says that its body is JSON. `undefined` where it says nothing. */
export function saysJson(answer: WireAnswer): boolean | undefined {
  const header = answer.headers["content-type"];
  if (header === undefined || header === "") return undefined;
  const mediaType = header.split(";", 1)[0]!.trim().toLowerCase();
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

/** The parsed body of a 2xx answer. Rejects when it isn't what was asked for: success that can't be read is no success. */
export async function readSuccess(answer: WireAnswer, what: string, wantsJson: boolean): Promise<unknown> {
  const text = await answer.body.text();
  if (!wantsJson) return text;
  if (text === "") return undefined;
  if (saysJson(answer) === false) throw notJson(answer, what, text);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    throw notJson(answer, what, text, error);
  }
  if (isStatus(body) && body.status === "Failure") throw new ApiError(complete(body, answer, what));
  return body;
}

/** The error for an answer that isn't 2xx: the server's own Status, or one made from what it sent. */
export async function readFailure(answer: WireAnswer, what: string, method: string): Promise<ApiError> {
  let text = "";
  try {
    text = await answer.body.text(MAX_ERROR_BODY);
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
  const shown = excerpt(text);
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

/** A 200 that is an HTML login page, say. */
export function notJson(answer: WireAnswer, what: string, text: string, cause?: unknown): TransportError {
  const type = answer.headers["content-type"] ?? "no content type";
  const shown = excerpt(text);
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
function excerpt(text: string): string {
  const head = text.slice(0, 64 * 1024);
  const page = /<(!doctype|html|body)\b/i.test(head);
  const bare = page
    ? head.replaceAll(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ").replaceAll(/<[^<>]*>/g, " ")
    : head;
  const plain = bare.replaceAll(/\s+/g, " ").trim();
  return plain.length > EXCERPT ? `${plain.slice(0, EXCERPT)}…` : plain;
}
