import type { Controllers, ObjectSummary } from "@kubewright/dashboard/protocol";
import type { Inspection } from "../session/inspection.ts";
import type { DevSession } from "../session/session.ts";
import { EventStream } from "./event-stream.ts";
import { PageServer } from "./page-server.ts";
import { routesOf } from "./routes.ts";

/** Time in milliseconds between two messages about objects, and between two about controllers. */
const objectsTime = 100;
const controllersTime = 1000;

/** Serves the data of a session to the dashboard and to the subcommands, on the loopback interface. */
export class DevServer {
  readonly #session: DevSession;
  readonly #inspection: Inspection;
  readonly #stream: EventStream;
  readonly #server: PageServer;
  readonly #changedObjects = new Set<string>();
  readonly #deletedObjects = new Set<string>();
  #objectsTimer: NodeJS.Timeout | undefined;
  #controllersTimer: NodeJS.Timeout | undefined;
  #hasActivity = false;

  /** @param assets - directory of the dashboard's files; unset without one */
  constructor(session: DevSession, inspection: Inspection, assets: string | undefined) {
    this.#session = session;
    this.#inspection = inspection;
    const shownJson = (text: string) => inspection.objects.secrets.maskJson(text);
    this.#stream = new EventStream(shownJson);
    this.#server = new PageServer({
      assets,
      start: "/",
      routes: routesOf(session, inspection, () => this.newDashboardUrl()),
      shownJson,
      openStream: (request, response) => this.#stream.open(request, response),
    });
  }

  /** Token of programs. */
  get token(): string {
    return this.#server.token;
  }

  /** The server's URL, without a token. */
  get url(): string {
    return this.#server.url;
  }

  /** Returns a URL of the dashboard that works once. */
  newDashboardUrl(): string {
    return this.#server.newPageUrl();
  }

  async listen(): Promise<void> {
    await this.#server.listen();
    this.#follow();
  }

  /** Sends the reason to the pages, and closes. Without the reason, the pages show a lost connection. */
  async close(reason: string): Promise<void> {
    clearTimeout(this.#objectsTimer);
    clearInterval(this.#controllersTimer);
    await this.#stream.close({ type: "dev", event: { event: "stopped", time: new Date().toISOString(), reason } });
    await this.#server.close();
  }

  /** Sends a line of the manager. */
  sendLine(line: string): void {
    if (this.#stream.isUsed) this.#stream.send({ type: "log", line });
  }

  /** Sends what happens to the stream. */
  #follow(): void {
    const { objects } = this.#inspection;
    this.#session.events.on("event", (event) => {
      if (event.event !== "reconciled") this.#stream.send({ type: "dev", event });
      if (event.event === "applied") this.#inspection.watchOwnKinds();
    });
    this.#session.events.on("message", (message) => {
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
