// Shared parts of all attack clients.
import { once, setMaxListeners } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";

/** The target and the extent of an attack. */
export interface AttackOptions {
  host: string;
  port: number;
  /** Path of the requests. The default depends on the attack. */
  path?: string;
  /** Number of connections that the attack keeps open at a time. */
  connections: number;
  /** Ends the attack. */
  signal: AbortSignal;
  /** Whether the server uses TLS. */
  tls: boolean;
  /** Local address to connect from, such as `127.0.0.2`. */
  localAddress?: string;
}

/** Attacks a server until the signal aborts. Resolves when all connections are closed; never rejects because the server refuses. */
export type Attack = (options: AttackOptions) => Promise<void>;

/** Milliseconds before a client whose connection was closed connects again, so that the attackers don't use up their own processor. */
const reconnectDelay = 50;

/** Options of {@link onEachConnection}. */
export interface ConnectionOptions {
  /** Protocol to offer in the handshake. */
  protocol?: "h2";
  /** Whether to skip the TLS handshake even if the server uses TLS. */
  isRaw?: boolean;
}

/**
 * Keeps a number of connections open until the signal aborts, and connects again whenever the server closes one.
 *
 * @param options - the target and the number of connections
 * @param run - the attack on one connection; the connection stays open after it has resolved
 * @returns a promise that resolves when the signal has aborted and all connections are closed
 */
export async function onEachConnection(
  options: AttackOptions,
  run: (socket: Socket) => Promise<void> | void,
  { protocol, isRaw = false }: ConnectionOptions = {},
): Promise<void> {
  const { host, port, signal, localAddress } = options;
  const isSecure = options.tls && !isRaw;
  setMaxListeners(0, signal);
  const client = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = isSecure
        ? connectTls({
            host,
            port,
            rejectUnauthorized: false,
            ...(localAddress ? ({ localAddress } as object) : {}),
            ...(protocol ? { ALPNProtocols: [protocol] } : {}),
          })
        : connectPlain({ host, port, localAddress });
      const end = (): void => void socket.destroy();
      signal.addEventListener("abort", end);
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.on("error", () => {});
      try {
        await Promise.race([once(socket, isSecure ? "secureConnect" : "connect"), closed]);
        socket.resume();
        await Promise.race([run(socket), closed]);
        await closed;
      } catch {
        // The server has closed the connection.
      } finally {
        socket.destroy();
        signal.removeEventListener("abort", end);
      }
      await sleep(reconnectDelay, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: options.connections }, client));
}

/**
 * Writes to a socket and waits while its buffer is full.
 *
 * @returns whether the socket is still open
 */
export function write(socket: Socket, bytes: string | Buffer): Promise<boolean> {
  if (!socket.writable || socket.write(bytes)) return Promise.resolve(socket.writable);
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done).off("close", done);
      resolve(socket.writable);
    };
    socket.on("drain", done).on("close", done);
  });
}

/** Repeats an action while the socket is open, with a pause in milliseconds after each call. */
export async function repeat(socket: Socket, pause: number, act: () => unknown): Promise<void> {
  while (socket.writable) {
    await act();
    await sleep(pause);
  }
}

/** Returns the head of a request with a JSON content type. `headers` are complete lines. */
export function head(line: string, headers: readonly string[] = []): string {
  return `${[`${line} HTTP/1.1`, "Host: x", "Content-Type: application/json", ...headers].join("\r\n")}\r\n\r\n`;
}
