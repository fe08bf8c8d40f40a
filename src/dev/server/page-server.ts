import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { RequestError, sessionCookie } from "@kubewright/dashboard/protocol";
import { Access } from "./access.ts";
import { sendAsset, sendRefusalPage } from "./assets.ts";
import { readBody } from "./body.ts";

/** Answers a request: with JSON. */
export type Route = (query: URLSearchParams, body: Record<string, unknown>) => unknown;

/** Content of a {@link PageServer}. */
export interface PageServerOptions {
  /** Directory of the dashboard's files; unset without one. */
  readonly assets: string | undefined;
  /** Path of the page to which a one-time token leads. */
  readonly start: string;
  /** The routes by method and path. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Changes the JSON of an answer before it is sent; unset to send it as it is. */
  readonly shownJson?: (text: string) => string;
  /** Answers `GET /api/stream`. */
  readonly openStream?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** Serves the dashboard's files and JSON on the loopback interface, only to the user who started it. */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #access = new Access();
  readonly #server: Server;
  #port = 0;

  constructor(options: PageServerOptions) {
    this.#options = options;
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

  /** Returns a URL of the page that works once. */
  newPageUrl(): string {
    return `${this.url}/?token=${this.#access.oneTimeToken()}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => resolve());
    });
    const address = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { assets, routes, openStream, shownJson } = this.#options;
    const origin = this.#access.checkOrigin(request, this.#port);
    if (origin) return fail(response, new RequestError(origin.status, origin.error, origin.hint));
    const url = new URL(request.url ?? "/", this.url);
    const isApi = url.pathname.startsWith("/api/");
    const token = url.searchParams.get("token");
    if (!isApi && token !== null && request.method === "GET") return this.#exchange(token, request, response);
    if (!isApi) {
      if (this.#access.checkVisitor(request)) return sendRefusalPage(response);
      if (request.method === "GET" || request.method === "HEAD") return sendAsset(response, assets, url.pathname);
      throw new RequestError(405, `method ${request.method} isn't allowed`);
    }
    const user = this.#access.checkUser(request);
    if (user) return fail(response, new RequestError(user.status, user.error, user.hint));
    if (openStream && url.pathname === "/api/stream" && request.method === "GET") return openStream(request, response);
    const route = routes.get(`${request.method} ${url.pathname}`);
    if (!route) throw new RequestError(404, `${request.method} ${url.pathname} not found`);
    const body = request.method === "POST" ? await readBody(request) : {};
    json(response, 200, (await route(url.searchParams, body)) ?? {}, shownJson);
  }

  #exchange(token: string, request: IncomingMessage, response: ServerResponse): void {
    const exchanged = this.#access.exchange(token, request);
    // A reload of the page repeats the token.
    if (!exchanged && this.#access.checkVisitor(request)) {
      sendRefusalPage(response);
      return;
    }
    const { start } = this.#options;
    response
      .writeHead(303, {
        ...(exchanged
          ? { "Set-Cookie": `${sessionCookie}=${exchanged.cookie}; Path=/; HttpOnly; SameSite=Strict` }
          : {}),
        // Browsers don't send what follows "#".
        Location: exchanged ? `${start}#key=${exchanged.key}` : start,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      })
      .end();
  }
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  shown: (text: string) => string = (text) => text,
): void {
  response
    .writeHead(status, {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    })
    .end(shown(JSON.stringify(body)));
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status = 500, message, hint } = error as { status?: number; message: string; hint?: string };
  json(response, typeof status === "number" ? status : 500, { error: message, ...(hint ? { hint } : {}) });
}
