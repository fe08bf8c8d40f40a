import { gzipSync } from "node:zlib";
import { type AttackOptions, head, onEachConnection, repeat, write } from "./attack.ts";

const unpacked = 100 * 1024 * 1024;

/** Sends bodies that decompress to 100 MiB. The server must not decompress them. */
export function gzipBombs(options: AttackOptions): Promise<void> {
  const { path = "/mutate" } = options;
  const bomb = gzipSync(Buffer.alloc(unpacked, " "));
  const request = Buffer.concat([
    Buffer.from(head(`POST ${path}`, ["Content-Encoding: gzip", `Content-Length: ${bomb.length}`])),
    bomb,
  ]);
  return onEachConnection(options, (socket) => repeat(socket, 50, () => write(socket, request)));
}
