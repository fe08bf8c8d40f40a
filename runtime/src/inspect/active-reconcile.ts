import type { ReconcileLog, ReconcileRead, ReconcileWrite } from "./records.ts";

/** Limits of one record. */
const maxReads = 200;
const maxWrites = 100;
const maxLogs = 200;

/** Collects what a reconcile does while it runs. */
export class ActiveReconcile {
  readonly id: string;
  readonly reads: ReconcileRead[] = [];
  readonly writes: ReconcileWrite[] = [];
  readonly logs: ReconcileLog[] = [];
  dropped = 0;
  /** Set at the end. Code that the reconciler didn't wait for can run later; it is not recorded. */
  #hasEnded = false;

  constructor(id: string) {
    this.id = id;
  }

  read(read: ReconcileRead): void {
    this.#add(this.reads, maxReads, read);
  }

  wrote(write: ReconcileWrite): void {
    this.#add(this.writes, maxWrites, write);
  }

  log(line: ReconcileLog): void {
    this.#add(this.logs, maxLogs, line);
  }

  end(): void {
    this.#hasEnded = true;
  }

  #add<T>(list: T[], limit: number, entry: T): void {
    if (this.#hasEnded) return;
    if (list.length < limit) list.push(entry);
    else this.dropped++;
  }
}
