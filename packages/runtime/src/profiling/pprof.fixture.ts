// Serves profiles of this process, whose heap is small. A message of the parent starts and stops a busy function.
import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "../log/logger.ts";
import { HttpServer } from "../server/http-server.ts";
import { pprofListener } from "./pprof.ts";

let burning = false;
const server = await HttpServer.listen({ host: "127.0.0.1", port: 0 }, pprofListener(silentLogger));
process.on("message", (message) => {
  burning = message === "burn";
  if (burning) void burnsTime();
});
process.on("disconnect", () => process.exit());
process.send?.(server.port);

async function burnsTime(): Promise<void> {
  while (burning) {
    for (let i = 0; i < 1e6; i++) Math.sqrt(i);
    await sleep(1);
  }
}
