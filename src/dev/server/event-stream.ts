import type { IncomingMessage, ServerResponse } from "node:http";
import type { StreamMessage } from "@kubewright/dashboard/protocol";

const keptMessages = 2000;
/** Limit for all kept messages, in characters: a reconcile can have large diffs. */
const keptSize = 16 * 1024 * 1024;
/** In bytes: a client that doesn't read must not fill the memory. */
const maxBuffered = 8 * 1024 * 1024;
const aliveTime = 15_000;
/** Milliseconds for a client to read what was sent before the end. */
const endTime = 1000;

/** Sends messages to all clients, and remembers the last ones for those that reconnect. */
export class EventStream {
  readonly #clients = new Set<ServerResponse>();
  readonly #kept: { readonly id: number; readonly text: string }[] = [];
  /** Starts at a time, so that ids of an earlier session aren't taken for those of this one. */
  #id = Date.now();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  readonly #shownJson: (text: string) => string;

  /** @param shownJson - changes the JSON of a message before it is sent */
  constructor(shownJson: (text: string) => string = (text) => text) {
    this.#shownJson = shownJson;
  }

  /** Whether anybody listens. */
  get isUsed(): boolean {
    return this.#clients.size > 0;
  }

  send(message: StreamMessage): void {
    const id = ++this.#id;
    const text = `id: ${id}\ndata: ${this.#shownJson(JSON.stringify(message))}\n\n`;
    this.#kept.push({ id, text });
    this.#size += text.length;
    while (this.#kept.length > keptMessages || (this.#size > keptSize && this.#kept.length > 1)) {
      this.#size -= this.#kept.shift()?.text.length ?? 0;
    }
    for (const client of this.#clients) this.#write(client, text);
  }

  /** Answers a request with the stream. */
  open(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    response.write("retry: 500\n\n");
    const last = Number(request.headers["last-event-id"] ?? Number.NaN);
    const first = this.#kept[0]?.id ?? this.#id + 1;
    if (!Number.isNaN(last) && last >= first - 1 && last <= this.#id) {
      for (const { id, text } of this.#kept) if (id > last) response.write(text);
    } else response.write(`id: ${this.#id}\ndata: ${JSON.stringify({ type: "reset" } satisfies StreamMessage)}\n\n`);
    this.#clients.add(response);
    this.#timer ??= setInterval(() => {
      for (const client of this.#clients) this.#write(client, ": alive\n\n");
    }, aliveTime).unref();
    response.once("close", () => this.#clients.delete(response));
  }

  /**
   * Ends the streams. Resolves when the clients have everything, or are gone.
   *
   * @param last - the last message
   */
  async close(last?: StreamMessage): Promise<void> {
    clearInterval(this.#timer);
    if (last) this.send(last);
    const clients = [...this.#clients];
    this.#clients.clear();
    await Promise.all(clients.map(ended));
  }

  #write(client: ServerResponse, text: string): void {
    if (client.writableLength > maxBuffered) client.destroy();
    else client.write(text);
  }
}

/** Ends a response. Resolves when it is sent; a client that doesn't read can't hold up the end. */
function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, endTime);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.once("close", end);
    response.end(end);
  });
}
