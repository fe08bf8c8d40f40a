import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const runtime = join(dirname(fileURLToPath(import.meta.url)), "..");
const sourcesOf = (name: string): string => join(runtime, "../..", name, "src");

/** Sources of time and random numbers that a simulation doesn't control. */
const forbidden =
  /\bDate\.now\b|\bnew Date\(\)|(?<![.\w#])(?:setTimeout|setInterval|setImmediate)\((?!callback: )|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b|node:timers|process\.hrtime|AbortSignal\.timeout/;

/** Files and folders that may use them, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  "runtime/clock/": "the home of clocks and random numbers",
  "runtime/simulation/globals.ts": "replaces them",
  "runtime/transport/":
    "sockets, files of credentials, and rates of real connections; a simulation passes another transport",
  "runtime/http/": "sockets of servers",
  "runtime/webhook/http/": "sockets of the webhook server",
  "runtime/webhook/serve.ts": "sockets of the webhook server",
  "runtime/webhook/local/": "webhook servers on the developer's machine",
  "runtime/certs/": "files, and keys that must be unpredictable",
  "runtime/server/": "sockets of the servers of metrics, probes and profiles",
  "runtime/manager/metrics-handler.ts": "limits the time of requests for metrics",
  "runtime/manager/metrics-server.ts": "sockets of the server of metrics",
  "runtime/metrics/event-loop-lag.ts": "measures the real event loop",
  "runtime/profiling/": "profiles real time",
  "runtime/inspect/": "records of development sessions, with real times; a simulation records nothing",
  "runtime/envtest/": "starts real servers",
  "runtime/plan/": "a plan runs once, by the clock of the machine",
  "runtime/manager/signals.ts": "watches the process that has started this one",
  "runtime/simulation/old-versions/": "names of temporary files, before a simulation runs",
  "runtime/testing/eventually.ts": "waits for real servers",
  "runtime/json/": "marks strings of one process; no output contains the marks",
  "apiserver/engine/engine.ts": "the default clock and random numbers, which options replace",
  "apiserver/server/server.ts":
    "the time of certificates, which both sides of a connection check by the machine's time",
  "apiserver/http/": "sockets, and keys that must be unpredictable",
  "apiserver/cli/": "programs with a socket",
  "apiserver/controllers/steps.ts": "turns of the event loop, which a server with another clock doesn't wait for",
  "apiserver/storage/file-lock.ts": "locks a file among processes; a simulation has no data file",
  "cel/schema/slices.ts": "interrupts long checks of a server with the clock of the machine",
  "apiserver/webhook/client.ts": "sockets of calls to webhooks",
};

const tests = /\.(test|fixture)\.ts$|\/testdata\//;

function* sources(root: string, name: string): Generator<{ path: string; text: string }> {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = `${name}/${relative(root, file).replaceAll("\\", "/")}`;
    if (!entry.isFile() || !path.endsWith(".ts") || tests.test(path)) continue;
    yield { path, text: readFileSync(file, "utf8") };
  }
}

const all = ["runtime", "apiserver", "cel"].flatMap((name) => [...sources(sourcesOf(name), name)]);
const exemption = (path: string): string | undefined => Object.keys(exempt).find((prefix) => path.startsWith(prefix));
const uses = all.flatMap(({ path, text }) =>
  text.split("\n").flatMap((line, index) => {
    const isComment = /^\s*(\/\/|\/?\*)/.test(line);
    return !isComment && forbidden.test(line) ? [{ path, where: `${path}:${index + 1}: ${line.trim()}` }] : [];
  }),
);

it("the packages use only injected time and random numbers", () => {
  expect(all.length).toBeGreaterThan(500);
  expect(uses.filter(({ path }) => exemption(path) === undefined).map(({ where }) => where)).toEqual([]);
});

it("each exemption is used", () => {
  const used = new Set(uses.map(({ path }) => exemption(path)));
  expect(Object.keys(exempt).filter((prefix) => !used.has(prefix))).toEqual([]);
});

it.each([
  "const a = Date.now();",
  "setTimeout(f, 1)",
  "return new Date();",
  "Math.random()",
  "const id = randomUUID();",
])("the expression for forbidden sources matches %s", (line) => expect(line).toMatch(forbidden));

it.each(["clock.setTimeout(f, 1)", "new Date(milliseconds)", "this.#clock.now()"])(
  "the expression for forbidden sources doesn't match %s",
  (line) => expect(line).not.toMatch(forbidden),
);
