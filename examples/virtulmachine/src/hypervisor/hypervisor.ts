import type { VirtulMachineSpec } from "#api/v1/index.ts";

/** The external system that runs the machines. The garbage collector of Kubernetes doesn't clean it up. */
export interface Hypervisor {
  /** Creates a machine unless it exists. Returns the URL of its console. */
  create(id: string, size: Pick<VirtulMachineSpec, "cpu" | "memory">): Promise<string>;
  /** Removes a machine if it exists. */
  destroy(id: string): Promise<void>;
}

/** A hypervisor with an HTTP API: `PUT` and `DELETE` of `<url>/machines/<id>`. */
export class HttpHypervisor implements Hypervisor {
  private readonly url: string | undefined;

  constructor(url: string | undefined = process.env.HYPERVISOR_URL) {
    this.url = url;
  }

  async create(id: string, size: Pick<VirtulMachineSpec, "cpu" | "memory">): Promise<string> {
    const response = await this.call("PUT", id, JSON.stringify({ cpu: size.cpu, memory: size.memory }));
    const { console } = (await response.json()) as { console: string };
    return console;
  }

  async destroy(id: string): Promise<void> {
    await this.call("DELETE", id);
  }

  private async call(method: string, id: string, body?: string): Promise<Response> {
    if (!this.url)
      throw new Error("HYPERVISOR_URL must be the URL of the hypervisor's API, such as http://127.0.0.1:8700");
    const path = `/machines/${encodeURIComponent(id)}`;
    const headers = body === undefined ? undefined : { "content-type": "application/json" };
    const response = await fetch(new URL(path, this.url), {
      method,
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`hypervisor: ${method} ${path} returned ${response.status}`);
    return response;
  }
}
