import { createHash } from "node:crypto";
import type { StoredWrite } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { maskSecret } from "../../inspect/mask.ts";
import { SecretValues } from "../../secrets/secret-values.ts";
import type { Actor } from "../schedule/actor.ts";
import { type FaultName, noFaults } from "../schedule/fault-names.ts";
import { differences } from "./differences.ts";

/** One event of a run. */
export interface TimelineEntry {
  /** Number of the step. */
  step: number;
  /** Virtual time in milliseconds since the start. */
  time: number;
  /** Actor: `user`, `operator-1`, `cluster`, `someone`, or `simulation` for faults. */
  actor: string;
  /** Kind of the event, such as `read`, `create`, `update`, `delete`, `event`, `reconcile` or `fault crash`. */
  action: string;
  /** The object, as `Kind namespace/name`. Empty if there is none. */
  object: string;
  /** The revision that was read or written, empty if there is none. */
  revision: string;
  /** Further facts: the current revision of a read, the differences of a write. */
  detail: string;
}

/** An event whose detail is computed on demand, because most runs are never shown. */
export type RecordedEntry = Omit<TimelineEntry, "detail"> & { detail: string | (() => string) };

/** Returns what a new object contains, without metadata and the status of its beginning. */
function contentOf(object: unknown): unknown {
  const { metadata: _metadata, status: _status, ...content } = object as Record<string, unknown>;
  return content;
}

/** The fault or the write of an event. The renewal of a lease, for example, is bookkeeping rather than an effect. */
export type Cause =
  | { readonly fault: FaultName }
  | { readonly write: StoredWrite; readonly actor: Actor; readonly isEffect: boolean };

/** Receives each event after it was added, with its fault or write, if it has one. */
export type TimelineListener = (entry: RecordedEntry, cause: Cause | undefined) => void;

/** Records the events of a run, and passes them to listeners. */
export class Timeline {
  /** Number of injected faults, by name. */
  readonly faults: Record<FaultName, number> = noFaults();
  readonly #entries: RecordedEntry[] = [];
  readonly #listeners: TimelineListener[] = [];
  readonly #position: () => { step: number; time: number };
  /** The values of Secrets, which reports must not contain. */
  readonly #secrets = new SecretValues();

  /** @param position - returns the present step and time */
  constructor(position: () => { step: number; time: number }) {
    this.#position = position;
  }

  /** Calls a function with each later event. */
  subscribe(listener: TimelineListener): void {
    this.#listeners.push(listener);
  }

  /** Adds an event. */
  add(actor: string, action: string, object = "", revision = "", detail: RecordedEntry["detail"] = ""): void {
    this.#add({ actor, action, object, revision, detail });
  }

  /** Adds an injected fault, and counts it. */
  fault(name: FaultName, detail: string, object = ""): void {
    this.faults[name]++;
    this.#add({ actor: "simulation", action: `fault ${name}`, object, revision: "", detail }, { fault: name });
  }

  /**
   * Adds a write.
   *
   * @param actor - the actor that has sent it
   * @param object - the object, as events show it
   * @param write - the write
   * @param isEffect - whether it is more than bookkeeping. Its event contains the differences
   */
  write(actor: Actor, object: string, write: StoredWrite, isEffect: boolean): void {
    if (isEffect && object.startsWith("Secret ")) {
      for (const state of [write.before, write.after]) this.#secrets.learn((state ?? {}) as object as KubernetesObject);
    }
    const action = write.isDeletion ? "delete" : write.isNew ? "create" : "update";
    const detail = isEffect ? () => differencesOf(write) : "";
    this.#add(
      { actor: actor.name, action, object, revision: String(write.revision), detail },
      { write, actor, isEffect },
    );
  }

  #add(facts: Omit<RecordedEntry, "step" | "time">, cause?: Cause): void {
    const { step, time } = this.#position();
    const entry = { step, time, ...facts };
    this.#entries.push(entry);
    for (const listener of this.#listeners) listener(entry, cause);
  }

  /** Index of the last event. */
  get last(): number {
    return this.#entries.length - 1;
  }

  /** Returns all events. */
  entries(): TimelineEntry[] {
    return this.#entries.map((entry) => ({
      ...entry,
      detail: this.#secrets.maskJson(typeof entry.detail === "function" ? entry.detail() : entry.detail),
    }));
  }

  /** Returns a hash of all events: equal runs have equal hashes. */
  hash(): string {
    const hash = createHash("sha256");
    for (const entry of this.entries()) hash.update(`${JSON.stringify(entry)}\n`);
    return hash.digest("hex").slice(0, 16);
  }
}

function differencesOf({ before, after }: StoredWrite): string {
  if (after === undefined) return "";
  const previous = before === undefined ? undefined : maskSecret(before as unknown as KubernetesObject);
  const next = maskSecret(after as unknown as KubernetesObject, before as unknown as KubernetesObject | undefined);
  return differences(previous, previous === undefined ? contentOf(next) : next).join("; ");
}
