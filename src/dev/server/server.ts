import type { SessionEvents } from "../store/session-events.ts";
import { DashboardFeed } from "./dashboard-feed.ts";
import { EventStream } from "./event-stream.ts";
import { PageServer } from "./page-server.ts";
import { routesOf, type ServedParts } from "./routes.ts";

/** The server of a session's data. */
export interface DevServer {
  /** The server's URL, without a token. */
  readonly url: string;
  /** Token of programs. */
  readonly token: string;
  /** Returns a URL of the dashboard that works once. */
  readonly newDashboardUrl: () => string;
  /** Sends the reason to the pages, and closes. Without the reason, the pages show a lost connection. */
  readonly close: (reason: string) => Promise<void>;
}

/**
 * Serves the data of a session to the dashboard and to the subcommands, on the loopback interface.
 *
 * @param parts - the parts of the session
 * @param events - what happens in the session
 * @param assets - directory of the dashboard's files; unset without one
 * @returns the server
 * @throws Error if the server can't listen
 */
export async function openServer(
  parts: ServedParts,
  events: SessionEvents,
  assets: string | undefined,
): Promise<DevServer> {
  const { objects, requests, faults } = parts.inspection;
  const shownJson = (text: string) => objects.secrets.maskJson(text);
  const stream = new EventStream(shownJson);
  const server: PageServer = new PageServer({
    assets,
    start: "/",
    routes: routesOf(parts, { url: () => server.url, newPageUrl: () => server.newPageUrl() }),
    shownJson,
    openStream: (request, response) => stream.open(request, response),
  });
  await server.listen();
  const feed = new DashboardFeed({
    events,
    objects,
    stream,
    controllers: () => requests.controllers(),
    faults: () => faults.active(),
  });
  return {
    url: server.url,
    token: server.token,
    newDashboardUrl: () => server.newPageUrl(),
    async close(reason) {
      feed.close();
      await stream.close({ type: "dev", event: { event: "stopped", time: new Date().toISOString(), reason } });
      await server.close();
    },
  };
}
