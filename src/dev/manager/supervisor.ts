import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bundle } from "../build/bundler.ts";
import type { DevProblem } from "../build/problem.ts";
import type { KubeClient, KubeObject } from "../kube-client.ts";
import { readWebhookKinds } from "../manifests.ts";
import type { DevEventBody, ErrorPhase, ReconcileError, ReconcileRecord } from "../protocol.ts";
import type { Records } from "../store/records.ts";
import type { ManagerFlags } from "./flags.ts";
import { type InspectMessage, type ManagerEnd, ManagerProcess } from "./manager-process.ts";

/** Time in milliseconds in which a manager must not end to count as started, if it doesn't report its start. */
const settleTime = 5000;
/** Time in milliseconds for the webhooks of a started manager to be configured. */
const webhookTime = 10_000;

/** The session that managers run in. */
export interface SupervisorHost {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly kubeconfig: string;
  readonly flags: ManagerFlags;
  readonly records: Records;
  /** Ends when the session ends. */
  readonly signal: AbortSignal;
  client(): KubeClient;
  emit(event: DevEventBody): void;
  report(phase: ErrorPhase, problems: readonly DevProblem[]): void;
  tell(message: InspectMessage): void;
  onLine(line: string): void;
  /**
   * Time in milliseconds after which a manager that doesn't report its start counts as started.
   *
   * @defaultValue 5 seconds
   */
  readonly settleTime?: number;
}

/** Runs the manager: one process at a time, replaced when its code or flags change. */
export class ManagerSupervisor {
  readonly #host: SupervisorHost;
  #manager: ManagerProcess | undefined;
  #state: "starting" | "running" | "stopped" | "failed" = "stopped";
  #startedAt: string | undefined;
  /** Identifies code and flags of the running manager. */
  #runningKey = "";
  #restarts = -1;
  #isPaused = false;
  /** Whether the running manager is being stopped for another one. */
  #isReplacing = false;
  /** The webhooks that the last event contained. */
  #reportedWebhooks = "";

  constructor(host: SupervisorHost) {
    this.#host = host;
  }

  /** The running manager, if there is one. */
  get manager(): ManagerProcess | undefined {
    return this.#manager;
  }

  get status() {
    return {
      state: this.#state,
      pid: this.#manager?.pid ?? null,
      startedAt: this.#startedAt ?? null,
      restarts: Math.max(0, this.#restarts),
      inspected: this.#manager?.isInspected ?? false,
    };
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  /**
   * Holds back reconciles, or releases them. It stays in effect when the manager restarts.
   *
   * @throws Error if the running manager doesn't answer, or can't do it
   */
  async pause(paused: boolean): Promise<void> {
    const manager = this.#manager;
    const before = this.#isPaused;
    // A manager that starts now begins with this state.
    this.#isPaused = paused;
    try {
      await manager?.call({ call: "pause", paused });
    } catch (error) {
      // The next manager takes the place of one that has ended, or that hasn't started.
      if (manager === this.#manager && this.#state === "running" && !this.#isReplacing) {
        this.#isPaused = before;
        throw error;
      }
    }
    this.#host.emit({ event: "paused", paused });
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
  }

  /**
   * Starts a bundle in place of the running manager, and waits until it runs.
   *
   * @param bundle - the bundle
   * @param since - the time of the change that caused it, by `performance.now()`
   * @param force - whether a manager with the same code and flags is replaced too
   */
  async start(bundle: Extract<Bundle, { hash: string }>, since: number, force = false): Promise<void> {
    const args = await this.#host.flags.all();
    const key = JSON.stringify([bundle.hash, args, this.#webhookManifest()]);
    const isRunning = this.#state === "running" || this.#state === "starting";
    if (!force && isRunning && key === this.#runningKey) return;
    const path = this.#write(bundle);
    if (path === undefined) return;
    this.#isReplacing = true;
    try {
      await this.#manager?.stop();
    } finally {
      this.#isReplacing = false;
    }
    if (this.#host.signal.aborted) return;
    this.#runningKey = key;
    this.#restarts++;
    this.#state = "starting";
    const { root, env, kubeconfig } = this.#host;
    const started = new Promise<void>((resolve) => {
      this.#manager = new ManagerProcess(
        path,
        args,
        { cwd: root, env: { ...env, KUBECONFIG: kubeconfig }, isPaused: this.#isPaused },
        {
          onMessage: (message, from) => {
            if (from !== this.#manager) return;
            if (message.type === "started") {
              this.#onStarted(from, since);
              resolve();
            } else this.#onRecord(message);
          },
          onLine: (line) => this.#host.onLine(line),
          onEnd: (end, from) => {
            this.#onEnd(end, from);
            resolve();
          },
        },
      );
    });
    const manager = this.#manager;
    // Older runtimes report nothing.
    const settled = sleep(this.#host.settleTime ?? settleTime, undefined, { ref: false }).then(() => {
      if (manager && manager === this.#manager && this.#state === "starting") this.#onStarted(manager, since);
    });
    await Promise.race([started, settled]);
    if (this.status.state === "running") await this.#webhooksConfigured();
  }

  /** Writes a bundle. If that fails, as with a full disk, the old manager continues to run. */
  #write(bundle: Extract<Bundle, { hash: string }>): string | undefined {
    try {
      return bundle.write();
    } catch (error) {
      const message = `can't write the bundle: ${(error as Error).message}`;
      this.#host.report("bundle", [{ phase: "bundle", message }]);
      return undefined;
    }
  }

  #onStarted(manager: ManagerProcess, since: number): void {
    // A slow manager that counted as started, and reports its start now.
    if (this.#state === "running") {
      this.#host.tell({ type: "started" });
      return;
    }
    this.#state = "running";
    this.#startedAt = new Date().toISOString();
    this.#host.report("manager", []);
    // It can have changed since the process was created.
    manager.call({ call: "pause", paused: this.#isPaused }).catch(() => undefined);
    this.#host.emit({ event: "started", pid: manager.pid, durationMs: Math.round(performance.now() - since) });
    this.#host.tell({ type: "started" });
  }

  #onRecord(message: Exclude<InspectMessage, { type: "started" }>): void {
    if (message.type === "reconcile") {
      this.#host.records.addReconcile(message.reconcile);
      this.#host.emit(reconciledEvent(message.reconcile));
    } else this.#host.records.addAdmission(message.admission);
    this.#host.tell(message);
  }

  #onEnd({ expected, how, output }: ManagerEnd, manager: ManagerProcess): void {
    if (manager !== this.#manager) return;
    this.#manager = undefined;
    this.#state = expected ? "stopped" : "failed";
    if (expected || this.#host.signal.aborted) return;
    const reason = output.map(lastMessage).findLast((line) => line !== undefined);
    const message = `the manager ended with ${how}${reason === undefined ? "" : `: ${reason}`}`;
    this.#host.report("manager", [{ phase: "manager", message }]);
  }

  /** Objects that are created before the webhooks are configured would skip them. */
  async #webhooksConfigured(): Promise<void> {
    const kinds = readWebhookKinds(this.#host.root);
    if (kinds.length === 0) return;
    const client = this.#host.client();
    for (const end = Date.now() + webhookTime; Date.now() < end && !this.#host.signal.aborted; await sleep(25)) {
      const configured: { kind: string; name: string }[] = [];
      for (const kind of kinds) {
        const resource = await client.resourceOf("admissionregistration.k8s.io/v1", kind);
        const found = (await client.list(resource)) as (KubeObject & { webhooks?: Webhook[] })[];
        const isLocal = ({ clientConfig: { url } }: Webhook) => url !== undefined;
        const local = found.filter(({ webhooks = [] }) => webhooks.some(isLocal));
        configured.push(...local.map(({ metadata }) => ({ kind, name: metadata?.name ?? "" })));
      }
      // The manager writes one after the other.
      if (kinds.every((kind) => configured.some((one) => one.kind === kind))) return this.#reportWebhooks(configured);
      if (this.#state !== "running") return;
    }
  }

  /** The manager writes the configurations, with the URL of this machine. */
  #reportWebhooks(configured: readonly { readonly kind: string; readonly name: string }[]): void {
    const manifest = this.#webhookManifest();
    if (manifest === this.#reportedWebhooks) return;
    const action = this.#reportedWebhooks === "" ? "created" : "configured";
    this.#reportedWebhooks = manifest;
    this.#host.emit({ event: "applied", objects: configured.map((one) => ({ ...one, action })) });
  }

  #webhookManifest(): string {
    const path = join(this.#host.root, "config/webhook/manifests.yaml");
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }
}

interface Webhook {
  readonly clientConfig: { readonly url?: string };
}

function reconciledEvent({
  id,
  controller,
  object,
  reasons,
  durationMs,
  writes,
  error,
}: ReconcileRecord): DevEventBody {
  const types = [...new Set(reasons.map(({ type }) => type))];
  return {
    event: "reconciled",
    id,
    controller,
    ...object,
    reasons: types,
    durationMs,
    writes: writes.length,
    ...(error ? { error: error.message, ...positionOf(error) } : {}),
  };
}

function positionOf({ file, line, column }: ReconcileError) {
  if (file === undefined) return {};
  return { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
}

/** Returns the message of a line of the manager's output, if it explains its end. */
function lastMessage(line: string): string | undefined {
  if (!line.startsWith("{")) return /^\s+at /.test(line) || line.trim() === "" ? undefined : line;
  try {
    const { level, msg, error } = JSON.parse(line) as { level?: string; msg?: string; error?: string };
    return level === "error" ? [msg, error].filter(Boolean).join(": ") : undefined;
  } catch {
    return undefined;
  }
}
