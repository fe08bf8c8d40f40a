import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Config } from "../../src/config/config.ts";
import { reservePort } from "../../src/envtest/host/ports.ts";
import type { ManagerOptions } from "../../src/manager/options.ts";

/** The settings of a replica, passed as JSON. */
export interface ReplicaSettings {
  /** Identifies the replica in its writes and in its Lease. */
  name: string;
  config: Config;
  /** Manager options that are serializable as JSON. */
  manager: ManagerOptions;
  /** Time in milliseconds between two writes of each object. If unset, the leader writes only changed objects. */
  pause?: number;
}

export interface ReplicaProcess {
  env?: NodeJS.ProcessEnv;
  /**
   * A separate disk, mounted at a directory with a file `mounted`. The replica starts as soon as the directory contains
   * `tls.key`. Linux only.
   */
  disk?: { directory: string; bytes: number };
}

const path = (name: string): string => fileURLToPath(new URL(`processes/${name}`, import.meta.url));

/** A replica of an operator in a separate process, which can be paused and resumed, and whose wall clock can jump. */
export class Replica {
  readonly name: string;
  /** Resolves with the exit code, or `null` if a signal killed the process. */
  readonly exited: Promise<number | null>;
  /** The log output so far. */
  output = "";
  readonly #child: ChildProcess;
  readonly #health: { port: number; release(): void };

  private constructor(
    settings: ReplicaSettings,
    health: { port: number; release(): void },
    { env, disk }: ReplicaProcess,
  ) {
    this.name = settings.name;
    this.#health = health;
    const command = [process.execPath, "--import", "tsx", "--import", path("wall-clock.ts"), path("replica.ts")];
    const [program = "", ...args] = disk ? [...ownDisk(disk), ...command] : command;
    this.#child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Copies the config, because its `toJSON` omits credentials.
      env: { ...process.env, ...env, REPLICA: JSON.stringify({ ...settings, config: { ...settings.config } }) },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
    this.exited = new Promise((resolve) => this.#child.once("exit", resolve));
  }

  static async start(settings: ReplicaSettings, options: ReplicaProcess = {}): Promise<Replica> {
    const health = await reservePort();
    const manager = { ...settings.manager, healthProbeBindAddress: `127.0.0.1:${health.port}` };
    return new Replica({ ...settings, manager }, health, options);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Checks whether the readiness probe passes. */
  async isReady(): Promise<boolean> {
    const url = `http://127.0.0.1:${this.#health.port}/readyz`;
    return fetch(url, { signal: AbortSignal.timeout(1000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Sends SIGSTOP, SIGCONT, SIGTERM or SIGKILL. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Moves the wall clock forward or back by the given milliseconds. */
  jump(milliseconds: number): void {
    this.#child.send({ jump: milliseconds });
  }

  /** Kills the process, whatever its state. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    if (this.isRunning) await this.exited;
    this.#health.release();
  }
}

/** Returns a command that runs its arguments in a separate mount namespace, as root in a user namespace if necessary. */
function ownDisk({ directory, bytes }: { directory: string; bytes: number }): string[] {
  const mount = `mount -t tmpfs -o size=${bytes} tmpfs "$0" && touch "$0/mounted"`;
  const script = `${mount} && until [ -s "$0/tls.key" ]; do sleep 0.1; done && exec "$@"`;
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  return ["unshare", ...user, "--mount", "sh", "-c", script, directory];
}
