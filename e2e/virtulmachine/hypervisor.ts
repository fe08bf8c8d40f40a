import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The external hypervisor of the example, whose requests can be made to fail. */
export class FakeHypervisor {
  /** Running machines, by the uid of their VirtulMachine. */
  readonly machines = new Map<string, unknown>();
  /** The methods of all calls, such as `PUT`. */
  readonly calls: string[] = [];
  broken = false;
  readonly #server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const id = request.url?.split("/").pop() ?? "";
    this.calls.push(request.method ?? "");
    if (this.broken) {
      response.writeHead(503).end();
      return;
    }
    if (request.method === "PUT") this.machines.set(id, JSON.parse(body));
    else this.machines.delete(id);
    response.writeHead(200).end(JSON.stringify({ console: `vnc://hypervisor/${id}` }));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
