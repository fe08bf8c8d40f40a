import { ApiError } from "../errors/api-error.ts";
import { withDeepStack } from "../errors/deep-stack.ts";
import { isStatus, reasonForCode, type Status } from "../errors/status.ts";
import { TransportError } from "../errors/transport-error.ts";
import { parseJson } from "../json/parse.ts";
import { mayHoldSecrets, redactText } from "../log/redact-text.ts";
import { BodyTooLargeError } from "./bytes.ts";
import type { WireAnswer } from "./exchange.ts";
import { WireError } from "./http/wire-error.ts";

// Large enough for every Status. Longer error pages of proxies are truncated.
const MAX_ERROR_BODY = 1024 * 1024;
/**
 * Default limit of a response body in bytes. A list of 20,000 objects of 13 kB each fits. V8 limits strings to 512 MiB, and
 * parsing requires several times the size of the text.
 */
export const defaultMaxResponseBytes: number = 256 * 1024 * 1024;
/** Maximum length of a V8 string, in bytes. */
export const maxTextBytes: number = 2 ** 29 - 24;
const EXCERPT = 200;
/** The content encoding that requests accept. */
export const gzip = "gzip";

/** Checks by the content type whether the body is JSON. Returns `undefined` without a content type. */
export function declaresJson(answer: WireAnswer): boolean | undefined {
  const header = answer.headers["content-type"];
  if (header === undefined || header === "") return undefined;
  const mediaType = header.split(";", 1)[0]!.trim().toLowerCase();
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

/** Options for reading the body of a 2xx response. */
export interface ReadOptions {
  /** Whether the body must be JSON. Otherwise, it is text. */
  wantsJson: boolean;
  /** Maximum size of the body, in bytes. */
  maxBytes: number;
}

/** Reads and parses the body of a 2xx response. Rejects if the body isn't in the requested format. */
export async function readSuccess(answer: WireAnswer, what: string, options: ReadOptions): Promise<unknown> {
  const { wantsJson, maxBytes } = options;
  checkEncoding(answer, what);
  if (Number(answer.headers["content-length"]) > maxBytes) {
    answer.body.cancel(new Error("the body is too large"));
    throw tooLarge(what, maxBytes);
  }
  const text = await readText(answer, maxBytes).catch((error: unknown) => {
    throw error instanceof BodyTooLargeError ? tooLarge(what, maxBytes) : error;
  });
  if (!wantsJson) return text;
  if (text === "") return undefined;
  if (declaresJson(answer) === false) throw notJson(answer, what, text);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    // The parser's error quotes the text.
    throw notJson(answer, what, text, mayHoldSecrets(what) ? undefined : error);
  }
  if (isStatus(body) && body.status === "Failure")
    throw withDeepStack(() => new ApiError(completeStatus(body, answer, what)));
  return body;
}

/** Returns the error for a response other than 2xx: the server's Status, or one created from the response. */
export async function readFailure(answer: WireAnswer, what: string, method: string): Promise<ApiError> {
  let text = "";
  try {
    text = String(await decoded(answer, await answer.body.beginning(MAX_ERROR_BODY), MAX_ERROR_BODY));
  } catch {
    // The status line is sufficient.
  }
  if (declaresJson(answer) !== false) {
    try {
      const body = parseJson(text);
      if (isStatus(body)) return withDeepStack(() => new ApiError(completeStatus(body, answer, what)));
    } catch {
      // If the body isn't JSON, the message shows it as text.
    }
  }
  const { STATUS_CODES } = process.getBuiltinModule("node:http");
  const title = `${answer.status} ${answer.statusText || STATUS_CODES[answer.status] || ""}`.trim();
  const shown = excerpt(text, what);
  const after = retryAfterSeconds(answer);
  return withDeepStack(() =>
    ApiError.create(
      answer.status,
      reasonForCode(answer.status, method),
      `${what}: the server answered ${title}${shown === "" || shown === title ? "" : `: ${shown}`}`,
      {
        causes: [{ reason: "UnexpectedServerResponse", message: shown }],
        ...(after === undefined ? {} : { retryAfterSeconds: after }),
      },
    ),
  );
}

/** Returns the seconds of a `Retry-After` header. Like client-go, it accepts only integers. */
export function retryAfterSeconds(answer: Pick<WireAnswer, "headers">): number | undefined {
  const header = answer.headers["retry-after"];
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}

/**
 * Rejects responses that are encoded in another way than the request accepts.
 *
 * @throws {TransportError} if the body has an encoding that wasn't requested
 */
export function checkEncoding(answer: WireAnswer, what: string): void {
  const encoding = encodingOf(answer);
  if (encoding === "" || encoding === "identity" || encoding === answer.accepted) return;
  answer.body.cancel(new Error("the body is encoded"));
  throw new TransportError(
    "EBADANSWER",
    `${what}: the answer has the content encoding ${JSON.stringify(encoding.slice(0, 40))}, which was not requested`,
  );
}

function encodingOf({ headers }: WireAnswer): string {
  return headers["content-encoding"]?.trim().toLowerCase() ?? "";
}

async function readText(answer: WireAnswer, limit: number): Promise<string> {
  return String(await decoded(answer, await answer.body.bytes(limit), limit));
}

/** Decompresses a body if it is compressed. The limit is that of the result: a few bytes can expand to gigabytes. */
async function decoded(answer: WireAnswer, bytes: Buffer, limit: number): Promise<Buffer> {
  if (encodingOf(answer) !== gzip) return bytes;
  const { gunzip } = process.getBuiltinModule("node:zlib");
  const body = await new Promise<Buffer>((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: limit }, (error: NodeJS.ErrnoException | null, result) => {
      if (error === null) resolve(result);
      else if (error.code === "ERR_BUFFER_TOO_LARGE") reject(new BodyTooLargeError(limit));
      else reject(new WireError("EBADANSWER", `the answer isn't valid gzip: ${error.message}`));
    });
  });
  // As client-go, metrics count what is read.
  answer.body.received = body.length;
  return body;
}

function tooLarge(what: string, limit: number): TransportError {
  return new TransportError(
    "EBADANSWER",
    `${what}: the answer is larger than ${limit} bytes (maxResponseBytes of the configuration); list in pages (limit, continue) or raise it`,
  );
}

/** Returns the error for a successful response that isn't JSON, such as an HTML login page. */
export function notJson(answer: WireAnswer, what: string, text: string, cause?: unknown): TransportError {
  const type = answer.headers["content-type"] ?? "no content type";
  const shown = excerpt(text, what);
  return new TransportError(
    "EBADANSWER",
    `${what}: the server answered ${answer.status} with something else than JSON (${type})${shown === "" ? "" : `: ${shown}`}`,
    { cause },
  );
}

/** Fills in what a server's Status lacks, from the response. */
export function completeStatus(status: Status, answer: Pick<WireAnswer, "status" | "headers">, what: string): Status {
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

// Returns one readable line of a body, without the tags and scripts of an HTML page.
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
