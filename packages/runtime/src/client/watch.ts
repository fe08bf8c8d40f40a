import type { KubernetesObject } from "../api/index.ts";
import { interruptible } from "../clock/abort.ts";
import { ApiError } from "../errors/api-error.ts";
import { isStatus } from "../errors/status.ts";
import { TransportError } from "../errors/transport-error.ts";
import { isJsonObject } from "../json/object.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { excerpt } from "./answers.ts";
import type { WatchEvent } from "./client.ts";

/**
 * Returns the events of one watch request. Ends without an error when the signal aborts, when the consumer stops, and when
 * the server closes the stream, which it does after some minutes.
 *
 * @throws the `ApiError` of an ERROR event, such as a 410
 * @throws `TransportError` if the connection breaks
 */
export function watchEvents<T extends KubernetesObject>(
  transport: Transport,
  request: () => Promise<TransportRequest>,
  bookmarks: boolean,
  outer: AbortSignal | undefined,
): AsyncIterable<WatchEvent<T>> {
  return interruptible(outer, (signal) => readEvents<T>(transport, request, bookmarks, signal));
}

async function* readEvents<T extends KubernetesObject>(
  transport: Transport,
  request: () => Promise<TransportRequest>,
  bookmarks: boolean,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  if (signal.aborted) return;
  let opened: TransportRequest | undefined;
  try {
    opened = await request();
    const stream = await transport.stream({ ...opened, signal });
    for await (const line of stream) {
      const event = eventOf<T>(line, opened);
      if (event.type !== "BOOKMARK" || bookmarks) yield event;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function eventOf<T extends KubernetesObject>(line: unknown, request: TransportRequest): WatchEvent<T> {
  if (isJsonObject(line) && isJsonObject(line.object)) {
    const { type, object } = line;
    if (type === "ADDED" || type === "MODIFIED" || type === "DELETED" || type === "BOOKMARK") {
      if (isJsonObject(object.metadata)) return line as unknown as WatchEvent<T>;
    }
    if (type === "ERROR" && isStatus(object)) throw new ApiError(object);
  }
  throw new TransportError("EBADANSWER", `watch ${request.path}: ${excerpt(line)} isn't a watch event`);
}
