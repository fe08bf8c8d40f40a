// Writes with several clients until the API server is killed, and searches for acknowledged writes that were lost.
import type { Server } from "./server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

/** The states that a client may find under a name: that of the last acknowledged write, or that of a write without an answer. */
interface Expected {
  /** The value of the object; undefined if there is none. */
  acknowledged: string | undefined;
  possible: (string | undefined)[];
}

/** Clients that write separate objects, and record the acknowledged writes. */
export class Writers {
  readonly #expected = new Map<string, Expected>();
  readonly #random: () => number;
  /** The number of acknowledged writes. */
  acknowledged = 0;
  #revision = 0;
  #value = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Writes with several clients until the server ends. */
  async write(server: Server, clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, (_, client) => this.#client(server, client)));
  }

  async #client(server: Server, client: number): Promise<void> {
    for (;;) {
      const name = `c${client}-${Math.floor(this.#random() * 200)}`;
      const expected = this.#expected.get(name) ?? { acknowledged: undefined, possible: [] };
      this.#expected.set(name, expected);
      const value = `${++this.#value}-${"x".repeat(Math.floor(this.#random() * 2000))}`;
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } };
      const path = `${maps}/${name}`;
      let next: string | undefined = value;
      let sent: Promise<{ status: number; body: string }>;
      if (expected.acknowledged === undefined) sent = server.send("POST", maps, body);
      else if (this.#random() < 0.2) {
        next = undefined;
        sent = server.send("DELETE", path);
      } else if (this.#random() < 0.5) sent = server.send("PUT", path, body);
      else sent = server.send("PATCH", path, { data: { value } }, "application/merge-patch+json");
      expected.possible.push(next);
      let answer: { status: number; body: string };
      try {
        answer = await sent;
      } catch {
        return;
      }
      if (answer.status >= 300) throw new Error(`${name}: ${answer.body}`);
      expected.acknowledged = next;
      expected.possible = [];
      this.acknowledged++;
      const { metadata } = JSON.parse(answer.body) as { metadata: { resourceVersion?: string } };
      this.#revision = Math.max(this.#revision, Number(metadata.resourceVersion ?? 0));
    }
  }

  /** Compares the objects of the server with the acknowledged writes. @returns a line per difference */
  async verify(server: Server): Promise<string[]> {
    const { body } = await server.send("GET", maps);
    const { items, metadata } = JSON.parse(body) as {
      items: { metadata: { name: string }; data: { value: string } }[];
      metadata: { resourceVersion: string };
    };
    const stored = new Map(items.map((item) => [item.metadata.name, item.data?.value]));
    const problems: string[] = [];
    if (Number(metadata.resourceVersion) < this.#revision) {
      problems.push(`revision ${metadata.resourceVersion} is older than ${this.#revision}`);
    }
    const brief = (value: string | undefined): string => value?.split("-")[0] ?? "no object";
    for (const [name, expected] of this.#expected) {
      const value = stored.get(name);
      if (value !== expected.acknowledged && !expected.possible.includes(value)) {
        problems.push(
          `${name}: ${brief(value)} in place of ${[expected.acknowledged, ...expected.possible].map(brief)}`,
        );
      }
      expected.acknowledged = value;
      expected.possible = [];
    }
    for (const name of stored.keys()) if (!this.#expected.has(name)) problems.push(`${name}: wasn't written`);
    return problems;
  }
}
