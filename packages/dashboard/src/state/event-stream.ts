import { ApiError, send } from "./api.ts";

/** Receives what a stream sends, and what happens to it. */
export interface StreamListener {
  opened(): void;
  message(data: string): void;
  /** The connection ended. The stream connects again, unless the session refuses it. */
  lost(error: ApiError | undefined): void;
}

/** Milliseconds before the next attempt to connect. */
const retryTime = 500;

/** Follows an event stream, as `EventSource` does, which can't send the header of the key. */
export async function follow(path: string, listener: StreamListener): Promise<never> {
  let lastId: string | undefined;
  for (;;) {
    let error: ApiError | undefined;
    try {
      const headers: Record<string, string> = lastId === undefined ? {} : { "Last-Event-ID": lastId };
      const { body } = await send(path, { headers, cache: "no-store" });
      listener.opened();
      if (body) {
        for await (const { id, data } of events(body)) {
          if (id !== undefined) lastId = id;
          listener.message(data);
        }
      }
    } catch (thrown) {
      if (thrown instanceof ApiError) error = thrown;
    }
    listener.lost(error);
    await new Promise((resolve) => setTimeout(resolve, retryTime));
  }
}

interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Parses the events of a stream: lines of fields, which an empty line ends. */
export async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  // Joining all parts for each chunk would take quadratic time for a long line.
  let parts: string[] = [];
  let id: string | undefined;
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = decoder.decode(value, { stream: true }).split("\n");
      for (const [index, end] of lines.entries()) {
        parts.push(end);
        if (index === lines.length - 1) break;
        const line = parts.join("");
        parts = [];
        if (line === "") {
          if (data.length > 0) yield { id, data: data.join("\n") };
          data = [];
        } else if (line.startsWith("data: ")) data.push(line.slice("data: ".length));
        else if (line.startsWith("id: ")) id = line.slice("id: ".length);
      }
    }
  } finally {
    reader.releaseLock();
  }
}
