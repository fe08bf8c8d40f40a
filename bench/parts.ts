// The parts of `npm run bench`, with their programs, arguments and time limits.

export interface Part {
  readonly name: string;
  readonly program: string;
  /** The arguments of a whole run, and of one that only tries whether everything works. */
  readonly full: readonly string[];
  readonly quick: readonly string[];
  /** The time limit of a whole run. */
  readonly minutes: number;
  /** Requirements of the part. Each part itself reports missing optional tools. */
  readonly needs: readonly ("linux" | "servers")[];
  /** Whether it runs only if `--only` names it. */
  readonly onRequest?: boolean;
}

export const parts: readonly Part[] = [
  {
    name: "start-up",
    program: "bench/start-up.ts",
    full: ["--runs", "15"],
    quick: ["--runs", "3"],
    minutes: 10,
    needs: [],
  },
  {
    name: "scaffold",
    program: "bench/scaffold.ts",
    full: ["--runs", "15"],
    quick: ["--runs", "2"],
    minutes: 15,
    needs: [],
  },
  {
    name: "generate",
    program: "bench/generate.ts",
    full: ["--runs", "5"],
    quick: ["--runs", "1", "--only", "again,watch"],
    // The first run downloads and translates the modules.
    minutes: 60,
    needs: [],
  },
  {
    name: "runtime",
    program: "bench/runtime/main.ts",
    full: ["--runs", "3"],
    quick: ["--runs", "1", "--only", "noop,import"],
    minutes: 60,
    needs: ["linux", "servers"],
  },
  {
    name: "apiserver",
    program: "bench/apiserver.ts",
    full: ["--rounds", "3"],
    quick: ["--rounds", "1", "--objects", "500", "--watchers", "50"],
    minutes: 15,
    needs: ["linux", "servers"],
  },
  {
    name: "replicas",
    program: "bench/replicas.ts",
    full: ["--probes", "200"],
    quick: ["--probes", "20"],
    minutes: 5,
    needs: [],
  },
  {
    name: "webhook",
    program: "bench/webhook.ts",
    full: ["--rounds", "10"],
    quick: ["--rounds", "1", "--at-once", "50"],
    minutes: 10,
    needs: ["linux"],
  },
  {
    name: "image",
    program: "bench/image.ts",
    full: ["--runs", "9"],
    quick: ["--runs", "1"],
    minutes: 10,
    needs: ["linux", "servers"],
  },
  {
    name: "security",
    program: "bench/security.ts",
    full: ["--seconds", "20"],
    quick: ["--seconds", "5", "--only", "none,connections"],
    minutes: 60,
    needs: ["linux", "servers"],
  },
  {
    name: "dev",
    program: "bench/dev.ts",
    full: ["--starts", "7", "--edits", "40"],
    quick: ["--starts", "1", "--edits", "2"],
    minutes: 10,
    needs: [],
  },
  {
    name: "simulation",
    program: "bench/simulation.ts",
    full: ["--seconds", "60"],
    quick: ["--seconds", "10"],
    minutes: 10,
    needs: [],
  },
  {
    name: "shards",
    program: "bench/shards.mjs",
    full: [],
    quick: ["--objects", "2000", "--namespaces", "100"],
    minutes: 20,
    needs: ["linux"],
  },
  {
    name: "soak",
    program: "bench/soak.ts",
    full: ["--minutes", "120"],
    quick: ["--minutes", "2"],
    minutes: 150,
    needs: ["servers"],
    onRequest: true,
  },
];
