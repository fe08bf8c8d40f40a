import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Inspection } from "../inspection.ts";
import { type Controllers, type ObjectSummary, sessionCookie } from "../protocol.ts";
import type { DevSession } from "../session.ts";
import { Access } from "./access.ts";
import { sendAsset, sendRefusalPage } from "./assets.ts";
import { RequestError, readBody } from "./body.ts";
import { EventStream } from "./event-stream.ts";
import { type Route, routesOf } from "./routes.ts";

/** Time in milliseconds between two messages about objects, and between two about controllers. */
const objectsTime = 100;
const controllersTime = 1000;

/** Serves the data of a session to the dashboard and to the subcommands, on the loopback interface. */
export class DevServer {
  readonly #session: DevSession;
  readonly #inspection: Inspection;
  readonly #assets: string | undefined;
  readonly #access = new Access();
  readonly #stream = new EventStream();
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #server: Server;
  readonly #changedObjects = new Set<string>();
  readonly #deletedObjects = new Set<string>();
  #objectsTimer: NodeJS.Timeout | undefined;
  #controllersTimer: NodeJS.Timeout | undefined;
  #hasActivity = false;
  #port = 0;

  /** @param assets - directory of the dashboard's files; unset without one */
  constructor(session: DevSession, inspection: Inspection, assets: string | undefined) {
    this.#session = session;
    this.#inspection = inspection;
    this.#assets = assets;
    this.#routes = routesOf(session, inspection);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => fail(response, error));
    });
    // Streams are open for as long as the session.
    this.#server.requestTimeout = 0;
  }

  /** Token of programs. */
  get token(): string {
    return this.#access.bearer;
  }

  /** The server's URL, without a token. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Returns a URL of the dashboard that works once. */
  newDashboardUrl(): string {
    return `${this.url}/?token=${this.#access.oneTimeToken()}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => resolve());
    });
    const address = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    this.#follow();
  }

  async close(): Promise<void> {
    clearTimeout(this.#objectsTimer);
    clearInterval(this.#controllersTimer);
    this.#stream.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Sends a line of the manager. */
  sendLine(line: string): void {
    if (this.#stream.isUsed) this.#stream.send({ type: "log", line });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = this.#access.checkOrigin(request, this.#port);
    if (origin) return fail(response, new RequestError(origin.status, origin.error, origin.hint));
    const url = new URL(request.url ?? "/", this.url);
    const isApi = url.pathname.startsWith("/api/");
    const token = url.searchParams.get("token");
    if (!isApi && token !== null && request.method === "GET") return this.#exchange(token, request, response);
    const user = this.#access.checkUser(request);
    if (user && !isApi) return sendRefusalPage(response);
    if (user) return fail(response, new RequestError(user.status, user.error, user.hint));
    if (!isApi) {
      if (request.method === "GET" || request.method === "HEAD") return sendAsset(response, this.#assets, url.pathname);
      throw new RequestError(405, `method ${request.method} isn't allowed`);
    }
    if (url.pathname === "/api/stream" && request.method === "GET") return this.#stream.open(request, response);
    const route = this.#routes.get(`${request.method} ${url.pathname}`);
    if (!route) throw new RequestError(404, `${request.method} ${url.pathname} not found`);
    const body = request.method === "POST" ? await readBody(request) : {};
    json(response, 200, (await route(url.searchParams, body)) ?? {});
  }

  #exchange(token: string, request: IncomingMessage, response: ServerResponse): void {
    const cookie = this.#access.exchange(token);
    // A reload of the page repeats the token.
    if (cookie === undefined && this.#access.checkUser(request)) {
      sendRefusalPage(response);
      return;
    }
    const value =
      cookie === undefined ? {} : { "Set-Cookie": `${sessionCookie}=${cookie}; Path=/; HttpOnly; SameSite=Strict` };
    response
      .writeHead(303, { ...value, Location: "/", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" })
      .end();
  }

  /** Sends what happens to the stream. */
  #follow(): void {
    const { objects } = this.#inspection;
    this.#session.subscribe((event) => {
      if (event.event !== "reconciled") this.#stream.send({ type: "dev", event });
      if (event.event === "applied") this.#inspection.watchOwnKinds();
    });
    this.#session.onMessage((message) => {
      this.#hasActivity = true;
      if (message.type === "reconcile" || message.type === "admission") this.#stream.send(message);
    });
    objects.subscribe((uid, isDeleted) => {
      this.#changedObjects.delete(uid);
      this.#deletedObjects.delete(uid);
      (isDeleted ? this.#deletedObjects : this.#changedObjects).add(uid);
      this.#objectsTimer ??= setTimeout(() => this.#sendObjects(), objectsTime);
    });
    this.#controllersTimer = setInterval(() => void this.#sendControllers(), controllersTime).unref();
  }

  #sendObjects(): void {
    this.#objectsTimer = undefined;
    const { objects } = this.#inspection;
    const changed = [...this.#changedObjects].flatMap((uid): ObjectSummary[] => {
      const summary = objects.summary(uid);
      return summary ? [summary] : [];
    });
    // The children of owners are part of their summaries.
    const owners = new Set(changed.flatMap(({ owners }) => owners));
    for (const { uid } of changed) owners.delete(uid);
    for (const uid of owners) {
      const summary = objects.belongs(uid) ? objects.summary(uid) : undefined;
      if (summary) changed.push(summary);
    }
    const deleted = [...this.#deletedObjects];
    this.#changedObjects.clear();
    this.#deletedObjects.clear();
    this.#stream.send({ type: "objects", changed, deleted });
  }

  async #sendControllers(): Promise<void> {
    if (!this.#hasActivity || !this.#stream.isUsed) return;
    this.#hasActivity = false;
    const controllers: Controllers | undefined = await this.#inspection.controllers().catch(() => undefined);
    if (controllers) this.#stream.send({ type: "controllers", controllers });
    const faults = await this.#inspection.faults().catch(() => undefined);
    if (faults) this.#stream.send({ type: "faults", faults });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    })
    .end(JSON.stringify(body));
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status = 500, message, hint } = error as { status?: number; message: string; hint?: string };
  json(response, typeof status === "number" ? status : 500, { error: message, ...(hint ? { hint } : {}) });
}
