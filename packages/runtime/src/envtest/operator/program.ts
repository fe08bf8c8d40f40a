import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { Manager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/options.ts";
import { kubeconfigFor } from "../host/kubeconfig.ts";

/** The surroundings of an operator's program, as in its container: arguments, environment, exit and signals. */
export interface ProgramSettings {
  readonly config: Config;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Returns the options of a manager that the program creates. */
  readonly options: (theirs: ManagerOptions) => ManagerOptions;
  /** Called when the program starts its manager. */
  readonly started: (manager: Manager) => void;
  /** Called with the reason if the program ends before it should. */
  readonly ended: (error: Error) => void;
}

const signals = ["SIGTERM", "SIGINT"] as const;

/** Runs the program of an operator in this process. */
export class Program {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #restores: (() => void)[] = [];

  /** Replaces the surroundings, and loads the program. */
  async load(main: () => Promise<unknown>, settings: ProgramSettings): Promise<void> {
    this.#replaceProcess(settings);
    this.#replaceManager(settings);
    await main();
  }

  /** Stops the program's manager, and restores the surroundings. */
  async stop(): Promise<void> {
    this.#stop.abort();
    try {
      await Promise.all(this.#running);
    } finally {
      for (const restore of this.#restores.splice(0).reverse()) restore();
    }
  }

  #replaceProcess({ config, args, env, ended }: ProgramSettings): void {
    const directory = mkdtempSync(join(tmpdir(), "kubewright-operator-"));
    const kubeconfig = join(directory, "kubeconfig");
    writeFileSync(kubeconfig, kubeconfigFor(config), { mode: 0o600 });
    const { argv, exit } = process;
    const given = { ...env, KUBECONFIG: kubeconfig };
    const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
    const listeners = signals.map((name) => [name, new Set(process.listeners(name))] as const);
    this.#restores.push(() => {
      rmSync(directory, { recursive: true, force: true });
      process.argv = argv;
      process.exit = exit;
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      for (const [name, original] of listeners) {
        for (const listener of process.listeners(name)) if (!original.has(listener)) process.off(name, listener);
      }
    });
    Object.assign(process.env, given);
    process.argv = [...argv.slice(0, 2), ...args];
    // The program prints its reason before it exits.
    process.exit = (code) => ended(new Error(`the operator ended with exit code ${code ?? 0}`)) as never;
  }

  #replaceManager({ options, started }: ProgramSettings): void {
    const { create } = Manager;
    this.#restores.push(() => {
      Manager.create = create;
    });
    Manager.create = async (config, theirs = {}) => {
      const manager = await create.call(Manager, config, options(theirs));
      const start = manager.start.bind(manager);
      manager.start = (signal) => {
        const running = start(AbortSignal.any([signal, this.#stop.signal]));
        // The program reports its failure.
        this.#running.push(running.catch(() => {}));
        started(manager);
        return running;
      };
      return manager;
    };
  }
}
