import type {
  ReconcileCall,
  ReconciledChild,
  ReconcileLog,
  ReconcileRead,
  ReconcileStep,
  ReconcileWrite,
} from "../session/records.ts";

/** Limits of one record. */
const maxReads = 200;
const maxWrites = 100;
const maxCalls = 100;
const maxLogs = 200;
const maxChildren = 200;

/** Collects what a reconcile does while it runs. */
export class ActiveReconcile {
  readonly id: string;
  readonly reads: ReconcileRead[] = [];
  readonly writes: ReconcileWrite[] = [];
  readonly calls: ReconcileCall[] = [];
  readonly logs: ReconcileLog[] = [];
  readonly steps: ReconcileStep[] = [];
  /** Unset without a declaration of children. */
  children: ReconciledChild[] | undefined;
  dropped = 0;
  /** Ends the calls without an answer. */
  readonly #openCalls = new Set<(end: Pick<ReconcileCall, "error">) => void>();
  /** Set at the end. Code that the reconciler didn't wait for can run later; it is not recorded. */
  #hasEnded = false;

  constructor(id: string) {
    this.id = id;
  }

  read(read: ReconcileRead): void {
    this.#add("read", this.reads, maxReads, read);
  }

  wrote(write: ReconcileWrite): void {
    this.#add("write", this.writes, maxWrites, write);
  }

  log(line: ReconcileLog): void {
    this.#add("log", this.logs, maxLogs, line);
  }

  /** Records what happened to children. Those that need attention come first if there are too many. */
  reconciled(children: readonly ReconciledChild[]): void {
    if (this.#hasEnded) return;
    const all = [...(this.children ?? []), ...children];
    const sorted = all.length > maxChildren ? all.sort((a, b) => weight(a) - weight(b)) : all;
    this.children = sorted.slice(0, maxChildren);
    this.dropped += sorted.length - this.children.length;
  }

  /** Records a call. Returns the function for its answer or failure; only the first call of it has an effect. */
  call(call: Pick<ReconcileCall, "method" | "url">): (end: Pick<ReconcileCall, "status" | "error">) => void {
    const started = performance.now();
    const end = (answer: Pick<ReconcileCall, "status" | "error">): void => {
      if (!this.#openCalls.delete(end)) return;
      const durationMs = Math.round((performance.now() - started) * 10) / 10;
      this.#add("call", this.calls, maxCalls, { ...call, ...answer, durationMs });
    };
    // Their number is limited, too: an answer may never come.
    if (this.#openCalls.size < maxCalls) this.#openCalls.add(end);
    else this.dropped++;
    return end;
  }

  end(): void {
    for (const end of this.#openCalls) end({ error: "no answer before the reconcile ended" });
    this.#hasEnded = true;
  }

  #add<T>(step: ReconcileStep, list: T[], limit: number, entry: T): void {
    if (this.#hasEnded) return;
    if (list.length < limit) {
      list.push(entry);
      this.steps.push(step);
    } else this.dropped++;
  }
}

function weight({ action }: ReconciledChild): number {
  return action === "unchanged" ? 1 : 0;
}
