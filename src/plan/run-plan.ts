import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { PlanResult, PlanSettings } from "@kubewright/runtime/dev";
import { crdDirectory, readDefinitions } from "../dev/client/manifests.ts";
import { devPackageOf, runtimeOf, type Transport } from "../dev/client/packages.ts";
import { existingCluster } from "../dev/cluster/existing.ts";
import { run } from "../programs/run.ts";
import { ProblemError } from "../project/problem-error.ts";
import type { Project } from "../project/project-file.ts";
import { type Esbuild, localBundleOptions } from "../tasks/bundle.ts";
import { projectPackage, runtimeProgram } from "../tasks/programs.ts";
import { type Account, groupsOf, userOf } from "./account.ts";
import { type PlanDocument, planDocument } from "./document.ts";

/** Options of {@link runPlan}. */
export interface PlanOptions {
  readonly root: string;
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The context; the current one by default. */
  readonly context?: string;
  /** The user that the operator is. */
  readonly account?: Account;
  readonly writes: "server" | "local";
  /** The source of the definitions of custom resources. */
  readonly crds: "cluster" | "project";
  readonly targets: PlanSettings["targets"];
  readonly namespace?: string;
  /** Objects that a user applies first. */
  readonly objects: readonly object[];
  /** In milliseconds. */
  readonly timeout: number;
  /** Flags of the manager. */
  readonly args: readonly string[];
  /** Whether to print the log of the manager on stderr. */
  readonly verbose: boolean;
}

/** The parts of the cluster that a plan reads before the operator runs. */
interface Surroundings {
  readonly user: string;
  readonly crds: readonly object[];
  /** Undefined if they can't be read. */
  readonly aggregated: readonly string[] | undefined;
  readonly notes: readonly string[];
}

const userPath = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/**
 * Runs the controllers of a project once in a process of their own, which changes nothing.
 *
 * @throws ProblemError if the cluster can't be reached, the project can't be bundled, or the manager ends without a result
 */
export async function runPlan(options: PlanOptions): Promise<PlanDocument> {
  const { root, env, signal, account, writes } = options;
  const cluster = existingCluster(env, root, options.context);
  const parent = join(root, "node_modules", ".cache", "kubewright");
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "plan-"));
  try {
    const kubeconfig = join(directory, "kubeconfig");
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    const { config } = await cluster.open(root, kubeconfig, signal);
    const transport = runtimeOf(root).createTransport(config);
    const { user, crds, aggregated, notes } = await surroundings(transport, options).finally(() => transport.close());
    signal.throwIfAborted();
    if (account) writeFileSync(kubeconfig, impersonated(cluster.kubeconfig, account), { mode: 0o600 });
    const { targets, namespace, objects, timeout } = options;
    const settings: PlanSettings = {
      ...{ writes, crds, targets, objects, timeout, host: config.host },
      ...(aggregated === undefined ? {} : { aggregated }),
      ...(namespace === undefined ? {} : { namespace }),
    };
    const main = await bundleInto(options, directory);
    const started = performance.now();
    const result = await runManager(options, { directory, main, kubeconfig, settings });
    const about = { context: cluster.context, server: cluster.server, user: account ? userOf(account) : user, writes };
    const whole = { ...result, notes: [...result.notes, ...notes] };
    return planDocument(about, whole, Math.round(performance.now() - started));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function surroundings(transport: Transport, { crds, root, signal }: PlanOptions): Promise<Surroundings> {
  const { readAggregated, readDefinitions } = devPackageOf(root);
  const notes: string[] = [];
  const request: Transport["request"] = (sent) => transport.request({ ...sent, signal });
  const reader = { transport: { request }, note: (text: string) => notes.push(text), timeout: 30_000 };
  const [definitions, aggregated, user] = await Promise.all([
    crds === "project" ? definitionsOf(root) : readDefinitions(reader),
    readAggregated(reader),
    userName(transport, signal),
  ]);
  return { user, crds: definitions, aggregated, notes };
}

/** Returns the name of the user, which older servers don't tell. */
async function userName(transport: Transport, signal: AbortSignal): Promise<string> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  try {
    const answer = (await transport.request({ method: "POST", path: userPath, body, timeout: 10_000, signal })).body;
    const { status } = answer as { status?: { userInfo?: { username?: string } } };
    return status?.userInfo?.username ?? "unknown user";
  } catch {
    return "unknown user";
  }
}

function definitionsOf(root: string): readonly object[] {
  const { documents, problems } = readDefinitions(root);
  const [problem] = problems;
  const reason = existsSync(join(root, crdDirectory))
    ? problem && `${problem.file}: ${problem.message}`
    : "no such directory";
  if (reason === undefined) return documents;
  throw new ProblemError(
    "no-cluster",
    `--crds project: ${crdDirectory} can't be read: ${reason}`,
    "run make manifests",
  );
}

/** Returns a kubeconfig whose user acts as a ServiceAccount. */
function impersonated(kubeconfig: string, account: Account): string {
  const parsed = JSON.parse(kubeconfig) as {
    users: { name: string; user: object }[];
    contexts: { name: string; context: { user?: string } }[];
  };
  const as = { as: userOf(account), "as-groups": groupsOf(account) };
  const user = parsed.users[0] ?? { name: "plan", user: {} };
  const contexts = parsed.contexts.map(({ name, context }) => ({ name, context: { ...context, user: user.name } }));
  return JSON.stringify({ ...parsed, contexts, users: [{ ...user, user: { ...user.user, ...as } }] });
}

async function bundleInto({ root, project }: PlanOptions, directory: string): Promise<string> {
  const outfile = join(directory, "main.mjs");
  const esbuild = projectPackage<Esbuild>(root, "esbuild");
  try {
    await esbuild.build({
      ...localBundleOptions({ root, project }),
      outfile,
    });
  } catch (error) {
    const { errors } = error as {
      errors?: readonly { text: string; location: { file: string; line: number } | null }[];
    };
    const [first] = errors ?? [];
    if (!first) throw error;
    const { location } = first;
    const place = location ? `${location.file}:${location.line}: ` : "";
    throw new ProblemError("bundle-failed", `can't bundle src/main.ts: ${place}${first.text}`);
  }
  return outfile;
}

async function runManager(
  { root, env, signal, args, verbose }: PlanOptions,
  files: {
    readonly directory: string;
    readonly main: string;
    readonly kubeconfig: string;
    readonly settings: PlanSettings;
  },
): Promise<PlanResult> {
  const path = join(files.directory, "settings.json");
  writeFileSync(path, JSON.stringify(files.settings), { mode: 0o600 });
  const preload = pathToFileURL(runtimeProgram(root, "plan", "preload.js")).href;
  let result: PlanResult | undefined;
  const ended = new AbortController();
  const stop = (): void => ended.abort();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const end = await run(process.execPath, ["--import", preload, files.main, ...args], {
      cwd: root,
      env: { ...env, KUBECONFIG: files.kubeconfig, KUBEWRIGHT_PLAN: path },
      stdout: verbose ? "stderr" : "return",
      stderr: verbose ? "both" : "return",
      signal: ended.signal,
      // It changes nothing, so it need not end gracefully.
      onAbort: () => "SIGKILL",
      onMessage: (message) => {
        const { kubewright, result: text } = message as { kubewright?: string; result?: string };
        if (kubewright !== "plan" || text === undefined) return;
        result = JSON.parse(text) as PlanResult;
        // Timers of the operator could keep the process alive.
        ended.abort();
      },
    });
    signal.throwIfAborted();
    if (result) return result;
    const lines = `${end.stdout}\n${end.stderr}`.split("\n").filter((line) => line.trim() !== "");
    const last = lines.slice(-20).join("\n");
    throw new ProblemError(
      "program-failed",
      `the manager ended with ${end.how} before the plan was complete${last === "" ? "" : `:\n${last}`}`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
