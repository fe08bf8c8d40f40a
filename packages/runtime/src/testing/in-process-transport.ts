import type { ApiServer } from "@kubewright/apiserver";
import { linkSignals, newController, unlessAborted } from "../clock/abort.ts";
import { ApiError } from "../errors/api-error.ts";
import { withDeepStack } from "../errors/deep-stack.ts";
import { isStatus, reasonForCode } from "../errors/status.ts";
import { TransportError } from "../errors/transport-error.ts";
import { parseJson } from "../json/parse.ts";
import { stringifyJson } from "../json/stringify.ts";
import { completeStatus } from "../transport/answer.ts";
import type { WireAnswer } from "../transport/exchange.ts";
import { requestPath } from "../transport/server-url.ts";
import type { Transport, TransportRequest, TransportResponse, TransportStream } from "../transport/transport.ts";
import { defaultUserAgent } from "../transport/user-agent.ts";

type Handle = ApiServer["handle"];
type Answer = Awaited<ReturnType<Handle>>;

const server = new URL("http://in-process");

/**
 * Creates a transport that passes requests to an API server in this process.
 *
 * @param open - returns the function that answers requests; called with the first one
 * @returns the transport
 */
export function inProcessTransport(open: () => Promise<Handle>): Transport {
  const closing = newController();
  const userAgent = defaultUserAgent();

  async function send(request: TransportRequest, signal: AbortSignal): Promise<Answer> {
    const handle = await open();
    signal.throwIfAborted();
    request.beforeSend?.();
    return handle({
      method: request.method,
      url: requestPath(server, request),
      headers: {
        accept: request.accept ?? "application/json",
        "user-agent": userAgent,
        ...(request.body === undefined ? {} : { "content-type": request.contentType ?? "application/json" }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: stringifyJson(request.body) }),
      signal,
    });
  }

  async function request(sent: TransportRequest): Promise<TransportResponse> {
    const { signal = closing.signal } = sent;
    closing.signal.throwIfAborted();
    signal.throwIfAborted();
    let answered = unlessAborted(send(sent, signal), signal, () => {
      throw signal.reason;
    });
    if (signal !== closing.signal) {
      answered = unlessAborted(answered, closing.signal, () => {
        throw closing.signal.reason;
      });
    }
    const answer = await answered;
    // Thrown here instead of in send, so that the stack contains the caller: unlessAborted ends the chain of awaits.
    if (isFailure(answer)) throw withDeepStack(() => failureOf(answer, sent));
    const text = textOf(answer);
    const body = wantsJson(sent) ? (text === "" ? undefined : parseJson(text)) : text;
    if (isStatus(body) && body.status === "Failure") throw withDeepStack(() => failureOf(answer, sent));
    return { status: answer.status, headers: answer.headers, body };
  }

  async function stream(sent: TransportRequest): Promise<TransportStream> {
    const { signal, release, abort } = linkSignals(closing.signal, ...(sent.signal ? [sent.signal] : []));
    const close = async (): Promise<void> => abort();
    try {
      signal.throwIfAborted();
      const answer = await send(sent, signal);
      if (isFailure(answer)) throw withDeepStack(() => failureOf(answer, sent));
      return { close, [Symbol.asyncIterator]: () => linesOf(answer, wantsJson(sent), signal, close) };
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    request,
    stream,
    close: async () => closing.abort(new TransportError("ECLOSED", "the transport is closed")),
  };
}

function wantsJson({ accept }: TransportRequest): boolean {
  return accept === undefined || accept.includes("json");
}

function textOf({ body = "" }: Pick<Answer, "body">): string {
  return typeof body === "string" ? body : Buffer.from(body).toString("utf8");
}

function isFailure({ status }: Answer): boolean {
  return status < 200 || status >= 300;
}

function failureOf(answer: Answer, { method, path }: TransportRequest): ApiError {
  const { status } = answer;
  const text = textOf(answer);
  const what = `${method} ${path}`;
  try {
    const body = parseJson(text);
    const headers = answer.headers as WireAnswer["headers"];
    if (isStatus(body)) return new ApiError(completeStatus(body, { status, headers }, what));
  } catch {
    // The paths of unknown resources are answered with text.
  }
  return ApiError.create(status, reasonForCode(status, method), `${what}: the server answered ${text.trim()}`);
}

async function* linesOf(
  answer: Answer,
  json: boolean,
  signal: AbortSignal,
  close: () => Promise<void>,
): AsyncGenerator<unknown, void, undefined> {
  try {
    for await (const chunk of answer.stream ?? [textOf(answer)]) {
      for (const line of textOf({ body: chunk }).split("\n")) {
        if (signal.aborted) return;
        if (line !== "") yield json ? parseJson(line) : line;
      }
    }
  } finally {
    await close();
  }
}
