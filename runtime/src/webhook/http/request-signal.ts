import type { IncomingMessage, ServerResponse } from "node:http";

/** Aborts when the answer to a request is of no use any more: its client has gone, or the time that it gave is over. */
export class RequestSignal {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    response.once("close", () => {
      clearTimeout(this.#timer);
      if (!response.writableFinished) this.#controller.abort(new Error("the client has gone"));
    });
    const timeout = timeoutOf(request.url ?? "");
    if (timeout === undefined) return;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Error(`the API server's timeout of ${timeout} ms is over`));
    }, timeout);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}

/** Milliseconds that API servers give in the query: `?timeout=10s`. */
function timeoutOf(url: string): number | undefined {
  const match = /[?&]timeout=(?:(\d{1,4})m)?(?:(\d{1,6}(?:\.\d+)?)s)?(?:&|$)/.exec(url);
  if (!match?.[1] && !match?.[2]) return undefined;
  return Number(match[1] ?? 0) * 60_000 + Number(match[2] ?? 0) * 1000;
}
