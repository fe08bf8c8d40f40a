import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { checkout } from "../../scripts/test-support/scaffold.ts";

const assets = join(checkout, "dist", "dashboard");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** Names that would run a script or break the page's structure if they weren't shown as text. */
export const hostileName = `<img src=x onerror="window.hacked=1">`;

interface Item {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: string[];
  readonly children: string[];
  ready: boolean;
  resourceVersion: string;
  readonly [key: string]: unknown;
}

/**
 * A simulated session with many objects and reconciles, and with names that the real API server would reject. Other tests
 * cover the real session.
 */
export class LoadFixture {
  readonly objects: Item[] = [];
  readonly #streams = new Set<ServerResponse>();
  readonly #server: Server;
  #timer: NodeJS.Timeout | undefined;
  #revision = 1;
  #reconciles = 0;

  /** @param games - number of root objects; each has nine objects below it */
  constructor(games: number) {
    for (let index = 0; index < games; index++) {
      const name = index === 0 ? hostileName : `game-${String(index).padStart(4, "0")}`;
      const game = item("Game", name, []);
      const deployment = item("Deployment", name, [game.uid]);
      game.children.push(deployment.uid);
      this.objects.push(game, deployment);
      for (let pod = 0; pod < 8; pod++) {
        const child = item("Pod", `${name}-${pod}`, [deployment.uid]);
        deployment.children.push(child.uid);
        this.objects.push(child);
      }
    }
    this.#server = createServer(({ url = "/" }, response) => this.#serve(new URL(url, "http://localhost"), response));
  }

  /** Returns the URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  }

  /** Sends reconciles with diffs, and the changes of objects at most ten times per second, as a session does. */
  start(reconcilesPerSecond: number): void {
    const rounds = 10;
    this.#timer = setInterval(() => this.sendReconciles(reconcilesPerSecond / rounds), 1000 / rounds);
  }

  /** Sends some reconciles, each of another object. */
  sendReconciles(count: number): void {
    const changed: Item[] = [];
    for (let index = 0; index < count; index++) {
      const object = this.objects[(this.#reconciles * 37) % this.objects.length];
      if (!object) continue;
      object.ready = this.#reconciles % 5 !== 0;
      object.resourceVersion = String(++this.#revision);
      changed.push(object);
      this.#send({ type: "reconcile", reconcile: this.#reconcile(object) });
    }
    this.#send({ type: "objects", changed, deleted: [] });
    this.#send({ type: "controllers", controllers: this.#controllers() });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async close(): Promise<void> {
    this.stop();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #send(message: object): void {
    for (const stream of this.#streams) stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }

  #serve({ pathname, searchParams }: URL, response: ServerResponse): void {
    if (pathname === "/api/stream") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(`data: {"type":"reset"}\n\n`);
      this.#streams.add(response);
      response.once("close", () => this.#streams.delete(response));
      return;
    }
    if (pathname.startsWith("/api/")) {
      const answer = this.#answer(pathname, searchParams);
      response.writeHead(answer ? 200 : 404, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answer ?? { error: "not found" }));
      return;
    }
    const file = pathname === "/" ? "/index.html" : pathname;
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/plain" });
    response.end(readFileSync(join(assets, file)));
  }

  #answer(path: string, query: URLSearchParams): object | undefined {
    const object = this.objects.find(({ kind, name }) => kind === query.get("kind") && name === query.get("name"));
    switch (path) {
      case "/api/status":
        return {
          project: hostileName,
          engine: "embedded",
          manager: { state: "running", pid: 1, restarts: 0, inspected: true },
          paused: false,
          errors: [],
          kinds: [{ apiVersion: "example.io/v1", kind: "Game", plural: "games" }],
          takenOver: [],
          restorable: true,
        };
      case "/api/objects":
        return { objects: this.objects };
      case "/api/controllers":
        return this.#controllers();
      case "/api/faults":
        return { faults: [] };
      case "/api/admission":
        return { requests: [this.#admission()] };
      case "/api/reconciles":
        return { reconciles: [] };
      case "/api/timeline":
        return {
          object: { ...object, namespace: "default" },
          entries: object
            ? [{ type: "reconcile", time: new Date().toISOString(), reconcile: this.#reconcile(object) }]
            : [],
        };
      case "/api/object":
        return (
          object && {
            summary: object,
            yaml: `kind: ${object.kind}\nmetadata:\n  name: '${object.name}'\n`,
            fields: [{ manager: hostileName, operation: "Apply", paths: ["metadata.name"] }],
            events: [
              {
                type: "Warning",
                reason: hostileName,
                message: hostileName,
                count: 1,
                firstTime: "",
                lastTime: "",
                source: "",
              },
            ],
            revisions: [],
          }
        );
      default:
        return undefined;
    }
  }

  #reconcile(object: Item): object {
    const id = `reconcile-${++this.#reconciles}`;
    const time = new Date().toISOString();
    const reference = { kind: object.kind, namespace: "default", name: object.name };
    const lines = Array.from({ length: 20 }, (_, line) => `+  field${line}: ${"x".repeat(60)}`);
    return {
      id,
      controller: "game",
      object: reference,
      time,
      durationMs: this.#reconciles % 50,
      reasons: [{ type: "update", ...reference, via: "for", by: hostileName, changed: [hostileName] }],
      reads: [{ verb: "get", ...reference, from: "cache" }],
      writes: [
        {
          verb: "patch",
          subresource: "status",
          ...reference,
          diff: `@@ -0,0 +1,20 @@\n${lines.join("\n")}\n`,
          error: null,
        },
      ],
      logs: [{ level: "info", message: hostileName }],
      result: { requeueAfter: 0 },
      error: this.#reconciles % 25 === 0 ? { message: hostileName, file: "src/a.ts", line: 1 } : null,
    };
  }

  #admission(): object {
    return {
      id: "1",
      time: new Date().toISOString(),
      durationMs: 2,
      path: "/mutate",
      type: "mutating",
      operation: "CREATE",
      object: { kind: "Game", namespace: "default", name: hostileName },
      user: hostileName,
      dryRun: false,
      allowed: false,
      message: hostileName,
      warnings: [hostileName],
      input: `kind: Game\nname: ${hostileName}\n`,
      patch: `@@ -1,1 +1,2 @@\n a: 1\n+b: ${hostileName}\n`,
    };
  }

  #controllers(): object {
    return {
      paused: false,
      controllers: [
        {
          name: "game",
          kind: "Game",
          depth: 12,
          active: ["default/game-0001"],
          delayed: [{ key: `default/${hostileName}`, at: new Date(Date.now() + 5000).toISOString(), attempts: 3 }],
          workers: 4,
          total: this.#reconciles,
          errors: 7,
          errorsByMessage: [{ message: hostileName, count: 7 }],
          perSecond: Array.from({ length: 60 }, (_, second) => (second * 7) % 100),
          durations: Array.from({ length: 100 }, (_, index) => (index * 3) % 40),
        },
      ],
    };
  }
}

function item(kind: string, name: string, owners: string[]): Item {
  return {
    apiVersion: kind === "Game" ? "example.io/v1" : "v1",
    kind,
    namespace: "default",
    name,
    uid: `${kind}-${name}`.replace(/\W/g, "-"),
    ready: true,
    status: "InProgress",
    statusMessage: hostileName,
    owners,
    children: [],
    generation: 2,
    observedGeneration: 1,
    conditions: [{ type: "Ready", status: "False", reason: "Waiting", message: hostileName }],
    resourceVersion: "1",
    creationTimestamp: new Date().toISOString(),
    deleting: false,
    own: kind === "Game",
  };
}
