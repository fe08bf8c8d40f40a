// Runs a webhook in a separate process to measure its memory. Sends its port, and on request its maximum memory in bytes.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "../log/logger.ts";
import { allowed } from "./admission/response.ts";
import { standaloneWebhook } from "./admission/standalone.ts";

async function handle() {
  await sleep(20);
  return allowed();
}

const server = createServer(standaloneWebhook({ handle }, { logger: silentLogger })).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as { port: number }).port);
});
process.on("message", () => process.send?.(process.resourceUsage().maxRSS * 1024));
process.on("disconnect", () => process.exit());
