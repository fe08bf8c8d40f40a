import { outcomeOf } from "../model/explain.ts";
import type { ObjectMap } from "../model/object-tree.ts";
import type {
  ActiveFault,
  AdmissionRecord,
  Controllers,
  DevEvent,
  ObjectSummary,
  ReasonType,
  ReconcileRecord,
  Status,
  StreamMessage,
} from "../protocol/protocol.ts";

/** A reconcile without what it read and wrote: many of them are kept. */
export interface ReconcileSummary {
  readonly id: string;
  readonly controller: string;
  readonly object: ReconcileRecord["object"];
  readonly time: string;
  readonly durationMs: number;
  readonly reasons: readonly ReasonType[];
  /** The outcome, in the words of the timeline. */
  readonly outcome: string;
  readonly error: string | undefined;
}

/** Whether messages of the session arrive. `ended`: the session was stopped. `refused`: the page needs a new link. */
export type Connection = "connecting" | "open" | "lost" | "refused" | "ended";

/** The data of a session that the page keeps. Values are replaced when they change, so that they can be compared. */
export interface SessionState {
  readonly connection: Connection;
  readonly status: Status | undefined;
  /** Undefined until they are fetched. */
  readonly objects: ObjectMap | undefined;
  readonly controllers: Controllers | undefined;
  readonly faults: readonly ActiveFault[];
  /** The latest first. */
  readonly reconciles: readonly ReconcileSummary[];
  /** The latest first. */
  readonly admissions: readonly AdmissionRecord[];
  /** Increases when everything must be fetched again. */
  readonly epoch: number;
}

/** Most reconciles and admission requests that the page keeps. */
export const keptReconciles = 300;
export const keptAdmissions = 200;

/** Receives the messages of one frame. */
export type MessageListener = (messages: readonly StreamMessage[]) => void;

/** Keeps the state of the session, and calls listeners when it changes. */
export class SessionStore {
  #state: SessionState = {
    connection: "connecting",
    status: undefined,
    objects: undefined,
    controllers: undefined,
    faults: [],
    reconciles: [],
    admissions: [],
    epoch: 0,
  };
  readonly #listeners = new Set<() => void>();
  readonly #messageListeners = new Set<MessageListener>();

  get state(): SessionState {
    return this.#state;
  }

  /** Calls a function after each change. Returns the function that ends this. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Passes on the messages of each frame. Returns the function that ends this. */
  onMessages(listener: MessageListener): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  /** Replaces parts of the state. */
  set(changes: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  /** Replaces all objects. */
  setObjects(objects: readonly ObjectSummary[]): void {
    this.set({ objects: new Map(objects.map((object) => [object.uid, object])) });
  }

  /** Applies the messages of one frame. */
  apply(messages: readonly StreamMessage[]): void {
    const { state } = this;
    let changes: { -readonly [Name in keyof SessionState]?: SessionState[Name] } = {};
    let objects: Map<string, ObjectSummary> | undefined;
    const reconciles: ReconcileSummary[] = [];
    const admissions: AdmissionRecord[] = [];
    for (const message of messages) {
      switch (message.type) {
        case "reset":
          changes = { ...changes, epoch: state.epoch + 1 };
          break;
        case "objects":
          if (!state.objects) break;
          objects ??= new Map(state.objects);
          for (const object of message.changed) objects.set(object.uid, object);
          for (const uid of message.deleted) objects.delete(uid);
          break;
        case "controllers":
          changes.controllers = message.controllers;
          break;
        case "faults":
          changes.faults = message.faults;
          break;
        case "reconcile":
          reconciles.unshift(summaryOf(message.reconcile));
          break;
        case "admission":
          admissions.unshift(message.admission);
          break;
        case "dev":
          if (message.event.event === "stopped") changes.connection = "ended";
          break;
        case "log":
          break;
      }
    }
    if (objects) changes.objects = objects;
    if (reconciles.length > 0) changes.reconciles = [...reconciles, ...state.reconciles].slice(0, keptReconciles);
    if (admissions.length > 0) changes.admissions = [...admissions, ...state.admissions].slice(0, keptAdmissions);
    if (Object.keys(changes).length > 0) this.set(changes);
    for (const listener of this.#messageListeners) listener(messages);
  }
}

/** Returns whether the status of the session must be fetched again after an event. */
export function changesStatus({ event }: DevEvent): boolean {
  return event !== "changed" && event !== "reconciled" && event !== "stopped";
}

/** Returns what the page keeps of a reconcile. */
export function summaryOf(record: ReconcileRecord): ReconcileSummary {
  const { id, controller, object, time, durationMs, reasons, error } = record;
  return {
    id,
    controller,
    object,
    time,
    durationMs,
    reasons: reasons.map(({ type }) => type),
    outcome: outcomeOf(record).text,
    error: error?.message,
  };
}
