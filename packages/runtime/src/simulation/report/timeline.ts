import { createHash } from "node:crypto";
import type { KubernetesObject } from "../../api/index.ts";
import { maskSecret } from "../../inspect/mask.ts";
import { SecretValues } from "../../secrets/secret-values.ts";
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

/** A write whose states are read on demand. */
export interface RecordedWrite {
  readonly revision: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** Records the events of a run. */
export class Timeline {
  readonly #entries: RecordedEntry[] = [];
  readonly #position: () => { step: number; time: number };
  /** The values of Secrets, which reports must not contain. */
  readonly #secrets = new SecretValues();

  /** @param position - returns the present step and time */
  constructor(position: () => { step: number; time: number }) {
    this.#position = position;
  }

  /** Adds an event. */
  add(actor: string, action: string, object = "", revision = "", detail: string | (() => string) = ""): void {
    const { step, time } = this.#position();
    this.#entries.push({ step, time, actor, action, object, revision, detail });
  }

  /** Adds a write with its differences. */
  write(actor: string, action: string, object: string, write: RecordedWrite): void {
    if (object.startsWith("Secret ")) {
      for (const state of [write.before, write.after]) this.#secrets.learn((state ?? {}) as KubernetesObject);
    }
    this.add(actor, action, object, String(write.revision), () => {
      if (write.after === undefined) return "";
      const before = write.before === undefined ? undefined : maskSecret(write.before as KubernetesObject);
      const after = maskSecret(write.after as KubernetesObject, write.before as KubernetesObject | undefined);
      return differences(before, before === undefined ? contentOf(after) : after).join("; ");
    });
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
