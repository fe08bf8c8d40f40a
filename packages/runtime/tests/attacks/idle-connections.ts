import { type AttackOptions, onEachConnection } from "./attack.ts";

/** Opens connections, completes the TLS handshake and sends nothing. */
export function idleConnections(options: AttackOptions): Promise<void> {
  return onEachConnection(options, () => {});
}
