import type { RequestListener } from "node:http";
import type { Logger } from "../log/logger.ts";
import type { BindAddress } from "../server/bind-address.ts";
import { Server } from "../server/server.ts";

/** Binds the server of profiles. If its address is taken, the server of health probes ends too. */
export async function bindPprof(
  address: BindAddress,
  logger: Logger,
  healthServer: Server | undefined,
): Promise<Server> {
  const { pprofListener } = await import("../profiling/pprof.ts");
  try {
    return await boundServer("pprof", { host: "127.0.0.1", ...address }, pprofListener(logger), logger);
  } catch (error) {
    await healthServer?.close();
    throw error;
  }
}

/**
 * Binds the server when it is created: an occupied port is detected early, and a kubelet can probe before everything
 * has started.
 */
export async function boundServer(
  name: string,
  bindAddress: BindAddress,
  listener: RequestListener,
  logger: Logger,
): Promise<Server> {
  const server = new Server({ name, server: listener, bindAddress, logger });
  await server.bind();
  return server;
}
