import { type ChildProcess, spawn } from "node:child_process";

/** Milliseconds for an answer, after which the process counts as failed. */
const answerTime = 30_000;
const headerEnd = "\r\n\r\n";

/** Requests for errors, which have no answer in common. */
const requests = [
  "getConfigFileParsingDiagnostics",
  "getProgramDiagnostics",
  "getGlobalDiagnostics",
  "getSyntacticDiagnostics",
  "getBindDiagnostics",
  "getSemanticDiagnostics",
];

interface Snapshot {
  readonly snapshot: number;
  readonly projects: readonly {
    readonly id: string;
    readonly configFileName: string;
    readonly compilerOptions?: { readonly declaration?: boolean; readonly composite?: boolean };
  }[];
}

interface Call {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * A process of the compiler that keeps parsed files. After a save, a check takes 0.1 s of processor time instead of 0.7 s in a new
 * process. It doesn't notice changes of package.json, by which imports are resolved.
 */
export class WarmCompiler {
  readonly #child: ChildProcess;
  readonly #config: string;
  readonly #calls = new Map<number, Call>();
  #id = 0;
  #received = Buffer.alloc(0);
  #failure: Error | undefined;

  /**
   * Starts the process.
   *
   * @param program - path of the compiler
   * @param config - path of the project's settings
   * @param options - directory and environment of the process
   */
  constructor(
    program: string,
    config: string,
    { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  ) {
    this.#config = config;
    this.#child = spawn(program, ["--api", "--async", "--cwd", cwd], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    this.#child.once("error", (error) => this.#fail(error));
    this.#child.once("close", () => this.#fail(new Error("the compiler has ended")));
    this.#child.stdin?.on("error", (error) => this.#fail(error));
    this.#child.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
  }

  /**
   * Checks whether the project has errors. All files whose content has changed are read again, and new files are found.
   *
   * @returns false if there is one, which the compiler's command prints
   * @throws Error if the process has failed
   */
  async hasErrors(): Promise<boolean> {
    const timer = setTimeout(() => this.#fail(new Error("the compiler doesn't answer")), answerTime);
    try {
      if (this.#id === 0) await this.#call("initialize", null);
      // That all files may have changed doesn't include that files are new. That the settings have changed does.
      await this.#release(await this.#snapshot({ fileChanges: { invalidateAll: true } }));
      const config = this.#config;
      const { snapshot, projects } = await this.#snapshot({
        openProjects: [config],
        fileChanges: { changed: [config] },
      });
      try {
        const project = projects.find(({ configFileName }) => configFileName === this.#config);
        if (!project) throw new Error(`the compiler has no project ${this.#config}`);
        const { declaration, composite } = project.compilerOptions ?? {};
        const names = declaration || composite ? [...requests, "getDeclarationDiagnostics"] : requests;
        const about = { snapshot, project: project.id };
        const answers = await Promise.all(names.map((name) => this.#call<readonly unknown[] | null>(name, about)));
        return answers.some((errors) => errors !== null && errors.length > 0);
      } finally {
        await this.#release({ snapshot });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the process. */
  close(): void {
    this.#fail(new Error("the compiler was stopped"));
  }

  #snapshot(change: object): Promise<Snapshot> {
    return this.#call<Snapshot>("updateSnapshot", change);
  }

  #release({ snapshot }: Pick<Snapshot, "snapshot">): Promise<unknown> {
    return this.#call("release", { snapshot });
  }

  #call<T>(method: string, params: unknown): Promise<T> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#id;
    const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { resolve: (result) => resolve(result as T), reject });
      this.#child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}${headerEnd}${text}`);
    });
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const begin = this.#received.indexOf(headerEnd);
      if (begin < 0) return;
      const length = Number(
        /content-length: *(\d+)/i.exec(this.#received.toString("latin1", 0, begin))?.[1] ?? Number.NaN,
      );
      const end = begin + headerEnd.length + length;
      if (Number.isNaN(length)) this.#fail(new Error("the compiler's answer has no length"));
      if (!(this.#received.length >= end)) return;
      const text = this.#received.toString("utf8", begin + headerEnd.length, end);
      this.#received = this.#received.subarray(end);
      this.#answer(text);
    }
  }

  #answer(text: string): void {
    try {
      const { id, result, error } = JSON.parse(text) as { id?: number; result?: unknown; error?: { message?: string } };
      const call = this.#calls.get(id ?? 0);
      this.#calls.delete(id ?? 0);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#calls.values()) reject(this.#failure);
    this.#calls.clear();
    this.#child.kill("SIGKILL");
  }
}
