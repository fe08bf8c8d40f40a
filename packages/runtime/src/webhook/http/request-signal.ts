import type { IncomingMessage, ServerResponse } from "node:http";

/** Aborts when the response to a request is no longer needed: the client has disconnected, or its timeout has expired. */
export class RequestSignal {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    response.once("close", () => {
      clearTimeout(this.#timer);
      if (!response.writableFinished) this.#controller.abort(new Error("the client closed the connection"));
    });
    const timeout = timeoutOf(request.url ?? "");
    if (timeout === undefined) return;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Error(`the API server's timeout of ${timeout} ms has expired`));
    }, timeout);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}

/** Parses the timeout in milliseconds that API servers send in the query: `?timeout=10s`. */
function timeoutOf(url: string): number | undefined {
  const match = /[?&]timeout=(?:(\d{1,4})m)?(?:(\d{1,6}(?:\.\d+)?)s)?(?:&|$)/.exec(url);
  if (!match?.[1] && !match?.[2]) return undefined;
  return Number(match[1] ?? 0) * 60_000 + Number(match[2] ?? 0) * 1000;
}
