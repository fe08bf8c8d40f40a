import { checkEncoding, declaresJson, notJson } from "./answer.ts";
import type { ByteSource } from "./bytes.ts";
import type { WireAnswer } from "./exchange.ts";
import { toTransportError } from "./http/wire-error.ts";
import { type ReadLine, readLines } from "./json-lines.ts";
import type { Scope } from "./scope.ts";
import type { TransportStream } from "./transport.ts";

const EXCERPT_BYTES = 64 * 1024;

/** Rejects if an opened stream contains anything other than JSON. */
export async function openedAsJson(answer: WireAnswer, what: string): Promise<void> {
  checkEncoding(answer, what);
  if (declaresJson(answer) !== false) return;
  const text = await answer.body.beginning(EXCERPT_BYTES).catch(() => "");
  throw notJson(answer, what, String(text));
}

/** The lines of an open response. It holds one connection until it ends. */
export class LineStream implements TransportStream {
  readonly #source: ByteSource;
  readonly #what: string;
  readonly #scope: Scope;
  readonly #read: ReadLine;
  #closed = false;
  #taken = false;

  constructor(source: ByteSource, what: string, scope: Scope, read: ReadLine) {
    this.#source = source;
    this.#what = what;
    this.#scope = scope;
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    if (this.#taken) throw new Error("a stream can be read only once");
    this.#taken = true;
    try {
      for await (const line of readLines(this.#source, this.#what, this.#read)) {
        if (this.#over()) return;
        yield line;
      }
    } catch (error) {
      if (!this.#over()) throw toTransportError(error, this.#what);
    } finally {
      await this.close();
    }
  }

  #over(): boolean {
    return this.#closed || this.#scope.ended;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#scope.release();
    this.#source.cancel(new Error("the stream was closed"));
    return Promise.resolve();
  }
}
