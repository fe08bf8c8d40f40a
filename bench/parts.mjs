// The parts of `npm run bench`, with their programs, arguments and time limits.

/**
 * `needs`: what the part requires; each part itself reports missing optional tools. `onRequest`: runs only if `--only` names
 * it.
 */
export const parts = [
  {
    name: "start-up",
    program: "bench/start-up.mjs",
    full: ["--runs", "15"],
    quick: ["--runs", "3"],
    minutes: 10,
    needs: [],
  },
  {
    name: "scaffold",
    program: "bench/scaffold.mjs",
    full: ["--runs", "15"],
    quick: ["--runs", "2"],
    minutes: 15,
    needs: [],
  },
  {
    name: "generate",
    program: "bench/generate.mjs",
    full: ["--runs", "5"],
    quick: ["--runs", "1", "--only", "again,watch"],
    // The first run downloads and translates the modules.
    minutes: 60,
    needs: [],
  },
  {
    name: "runtime",
    program: "bench/runtime/main.mjs",
    full: ["--runs", "3"],
    quick: ["--runs", "1", "--only", "noop,import"],
    minutes: 60,
    needs: ["linux", "servers"],
  },
  {
    name: "apiserver",
    program: "bench/apiserver.mjs",
    full: ["--rounds", "3"],
    quick: ["--rounds", "1", "--objects", "500", "--watchers", "50"],
    minutes: 15,
    needs: ["linux", "servers"],
  },
  {
    name: "replicas",
    program: "bench/replicas.mjs",
    full: ["--probes", "200"],
    quick: ["--probes", "20"],
    minutes: 5,
    needs: [],
  },
  {
    name: "webhook",
    program: "bench/webhook.mjs",
    full: ["--rounds", "10"],
    quick: ["--rounds", "1", "--at-once", "50"],
    minutes: 10,
    needs: ["linux"],
  },
  {
    name: "image",
    program: "bench/image.mjs",
    full: ["--runs", "9"],
    quick: ["--runs", "1"],
    minutes: 10,
    needs: ["linux", "servers"],
  },
  {
    name: "security",
    program: "bench/security.mjs",
    full: ["--seconds", "20"],
    quick: ["--seconds", "5", "--only", "none,connections"],
    minutes: 60,
    needs: ["linux", "servers"],
  },
  {
    name: "dev",
    program: "bench/dev.mjs",
    full: ["--starts", "7", "--edits", "40"],
    quick: ["--starts", "1", "--edits", "2"],
    minutes: 10,
    needs: [],
  },
  {
    name: "simulation",
    program: "bench/simulation.mjs",
    full: ["--seconds", "60"],
    quick: ["--seconds", "10"],
    minutes: 10,
    needs: [],
  },
  {
    name: "soak",
    program: "bench/soak.mjs",
    full: ["--minutes", "120"],
    quick: ["--minutes", "2"],
    minutes: 150,
    needs: ["servers"],
    onRequest: true,
  },
];
