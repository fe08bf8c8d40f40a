import type { ActiveFault, Controllers, ObjectSummary, StreamMessage } from "@kubewright/dashboard/protocol";
import type { ObjectStore } from "../store/objects.ts";
import type { SessionEvents } from "../store/session-events.ts";

/** Time in milliseconds between two messages about objects, and between two about controllers. */
const objectsTime = 100;
const controllersTime = 1000;

/** The sources of a {@link DashboardFeed}, and where it sends. */
export interface FeedParts {
  readonly events: SessionEvents;
  readonly objects: ObjectStore;
  /** Reads the controllers of the manager. */
  readonly controllers: () => Promise<Controllers>;
  /** Reads the faults that have an effect. */
  readonly faults: () => Promise<readonly ActiveFault[]>;
  readonly stream: { readonly isUsed: boolean; send(message: StreamMessage): void };
}

/** Sends to the dashboard what happens in a session. */
export class DashboardFeed {
  readonly #parts: FeedParts;
  readonly #changedObjects = new Set<string>();
  readonly #deletedObjects = new Set<string>();
  readonly #controllersTimer: NodeJS.Timeout;
  #objectsTimer: NodeJS.Timeout | undefined;
  #hasActivity = false;

  /** @param parts - what is sent, and where */
  constructor(parts: FeedParts) {
    this.#parts = parts;
    const { events, objects, stream } = parts;
    events.on("event", (event) => {
      if (event.event !== "reconciled") stream.send({ type: "dev", event });
    });
    events.on("message", (message) => {
      this.#hasActivity = true;
      if (message.type === "reconcile" || message.type === "admission") stream.send(message);
    });
    events.on("line", (line) => {
      if (stream.isUsed) stream.send({ type: "log", line });
    });
    objects.subscribe((uid, isDeleted) => {
      this.#changedObjects.delete(uid);
      this.#deletedObjects.delete(uid);
      (isDeleted ? this.#deletedObjects : this.#changedObjects).add(uid);
      this.#objectsTimer ??= setTimeout(() => this.#sendObjects(), objectsTime);
    });
    this.#controllersTimer = setInterval(() => void this.#sendControllers(), controllersTime).unref();
  }

  /** Ends the messages about objects and controllers. */
  close(): void {
    clearTimeout(this.#objectsTimer);
    clearInterval(this.#controllersTimer);
  }

  #sendObjects(): void {
    this.#objectsTimer = undefined;
    const { objects, stream } = this.#parts;
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
    stream.send({ type: "objects", changed, deleted });
  }

  async #sendControllers(): Promise<void> {
    const { stream } = this.#parts;
    if (!this.#hasActivity || !stream.isUsed) return;
    this.#hasActivity = false;
    const controllers = await this.#parts.controllers().catch(() => undefined);
    if (controllers) stream.send({ type: "controllers", controllers });
    const faults = await this.#parts.faults().catch(() => undefined);
    if (faults) stream.send({ type: "faults", faults });
  }
}
