import type { RequestListener } from "node:http";
import type { Logger } from "../log/logger.ts";
import type { BindAddress } from "./bind-address.ts";
import { listen, type RunningServer } from "./http-server.ts";
import type { Runnable } from "./runnable.ts";

/** Serves from its making on: a taken port is known at once, and a kubelet asks before everything is started. */
export class BoundServer implements Runnable {
  readonly #server: RunningServer;

  private constructor(server: RunningServer) {
    this.#server = server;
  }

  static async bind(name: string, address: BindAddress, listener: RequestListener, log: Logger): Promise<BoundServer> {
    const server = await listen(address, listener);
    log.info("starting server", { name, addr: `${address.host ?? "[::]"}:${server.port}` });
    return new BoundServer(server);
  }

  get port(): number {
    return this.#server.port;
  }

  async start(signal: AbortSignal): Promise<void> {
    await untilAborted(signal);
    await this.close();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
