import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** Options of a terminal. */
export interface PtyOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Whether this machine has script(1) of util-linux, which opens terminals. */
export const hasPty = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** A command on a terminal of its own. */
export class Pty {
  readonly ended: Promise<number | null>;
  /** Everything that the command has printed, with its control sequences. */
  output = "";
  readonly #child: ChildProcess;
  readonly #listeners = new Set<(text: string) => void>();

  /** @param command - a line of shell, which the command replaces */
  constructor(command: string, { cwd, env, columns = 100, rows = 30 }: PtyOptions) {
    const line = `stty cols ${columns} rows ${rows}; exec ${command}`;
    this.#child = spawn("script", ["-qec", line, "/dev/null"], {
      cwd,
      env: { ...process.env, CI: "", TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text;
      for (const listener of this.#listeners) listener(text);
    });
    // The terminal can end before a key reaches it.
    this.#child.stdin?.on("error", () => undefined);
    this.ended = new Promise((resolve) => this.#child.once("close", (code) => resolve(code)));
  }

  /** Calls a function for each piece of output. */
  onOutput(listener: (text: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Types keys. */
  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Closes the terminal, as closing its window does. */
  close(): void {
    this.#child.kill("SIGKILL");
  }
}
