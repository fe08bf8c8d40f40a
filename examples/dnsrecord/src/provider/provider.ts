/** A record at the DNS provider. */
export interface Entry {
  /** The id that the provider generates. */
  id: string;
  /** A tag that identifies the object for which the record was created. */
  owner: string;
  host: string;
  address: string;
  ttlSeconds: number;
}

/** The operations of the DNS provider that the operator needs. */
export interface Provider {
  /** Returns the record with a tag, or `undefined` if none exists. */
  find(owner: string): Promise<Entry | undefined>;
  /** Creates a record. A second call creates a second record. */
  create(entry: Omit<Entry, "id">): Promise<Entry>;
  /** Replaces a record. */
  update(entry: Entry): Promise<void>;
  /** Removes a record. Succeeds if it doesn't exist. */
  remove(id: string): Promise<void>;
}

/** The DNS provider at PROVIDER_URL. */
export class HttpProvider implements Provider {
  private readonly url: string;

  constructor(url: string = process.env.PROVIDER_URL ?? "http://127.0.0.1:8700") {
    this.url = url;
  }

  async find(owner: string): Promise<Entry | undefined> {
    const response = await this.call("GET", `/records?owner=${encodeURIComponent(owner)}`);
    const [entry] = (await response.json()) as Entry[];
    return entry;
  }

  async create(entry: Omit<Entry, "id">): Promise<Entry> {
    return (await (await this.call("POST", "/records", entry)).json()) as Entry;
  }

  async update(entry: Entry): Promise<void> {
    await this.call("PUT", `/records/${entry.id}`, entry);
  }

  async remove(id: string): Promise<void> {
    await this.call("DELETE", `/records/${id}`, undefined, [404]);
  }

  private async call(method: string, path: string, body?: object, accepted: number[] = []): Promise<Response> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { "content-type": "application/json" },
      body: body && JSON.stringify(body),
      // Without a limit, a provider that never responds would block the worker.
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok && !accepted.includes(response.status))
      throw new Error(`the DNS provider responded to ${method} with ${response.status}`);
    return response;
  }
}
