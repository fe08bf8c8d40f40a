// The findings of `scaffold simulate --json`, as `scaffold dev --replay` shows them: a part of the protocol of the dashboard.

/** An event of a simulated run. */
export interface ReplayEntry {
  readonly step: number;
  /** Virtual time in milliseconds since the start of the run. */
  readonly time: number;
  /** Such as `user`, `operator-1`, `cluster`, or `simulation` for faults. */
  readonly actor: string;
  /** Such as `read`, `create`, `update`, `event`, `reconcile`, `fault crash`. */
  readonly action: string;
  /** `Kind namespace/name`; empty if there is none. */
  readonly object: string;
  /** Revision that was read or written; empty if there is none. */
  readonly revision: string;
  readonly detail: string;
}

/** A broken invariant, with the shortest schedule that breaks it. */
export interface ReplayFinding {
  readonly file: string;
  readonly test: string;
  readonly invariant: string;
  readonly message: string;
  readonly seed: number;
  readonly faults: readonly string[];
  /** How the operator was upgraded: the old versions, the variations, and the number of the call of `world.settled()`. */
  readonly upgrade?: {
    readonly from: readonly string[];
    readonly variations: readonly string[];
    readonly point: number;
  };
  /** How to replay it, such as a command line. Reports of older versions don't contain it. */
  readonly replay?: string;
  /** Index in the timeline of the event that broke the invariant. Reports of older versions don't contain it. */
  readonly position?: number;
  readonly timeline: readonly ReplayEntry[];
}

/** `GET /api/replay`. */
export interface Replay {
  /** The file as it was passed to `--replay`. */
  readonly source: string;
  readonly schedules: number;
  readonly seconds: number;
  /** Number of injected faults by name. */
  readonly faults: Readonly<Record<string, number>>;
  readonly findings: readonly ReplayFinding[];
  /** The old versions, in a simulation of an upgrade. */
  readonly from?: readonly { readonly name: string; readonly kind: string; readonly commit?: string }[];
  /** Number of schedules with each variation of an upgrade. */
  readonly upgrades?: Readonly<Record<string, number>>;
  /** The changes of the upgrades without faults. */
  readonly changes?: readonly ReplayChange[];
}

/** A change that an upgrade makes without faults. */
export interface ReplayChange {
  readonly file: string;
  readonly test: string;
  readonly from: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: "created" | "changed" | "replaced" | "deleted";
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly allowed: string | null;
}
