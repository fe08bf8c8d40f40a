import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanResult, PlanSettings } from "@kubewright/runtime/dev";

const built = (name: string): string => new URL(`../../packages/runtime/dist/${name}`, import.meta.url).href;

/** The end of a process of a plan. */
export interface PlanEnd {
  readonly result: PlanResult | undefined;
  readonly exitCode: number | null;
  readonly output: string;
}

/**
 * Runs an operator as `scaffold plan` does.
 *
 * @param host - the address of the API server
 * @param code - a module whose default export receives a configuration, and creates and starts a manager
 * @param settings - differing settings
 */
export async function planProcess(host: string, code: string, settings: Partial<PlanSettings> = {}): Promise<PlanEnd> {
  const directory = mkdtempSync(join(tmpdir(), "plan-"));
  try {
    const path = join(directory, "settings.json");
    const whole: PlanSettings = {
      ...{ writes: "server", crds: [], targets: [], objects: [], timeout: 60_000, aggregated: [] },
      ...settings,
    };
    writeFileSync(path, JSON.stringify(whole));
    const main = join(directory, "main.mjs");
    writeFileSync(main, code.replaceAll("@kubewright/runtime", built("index.js")));
    const child = spawn(process.execPath, ["--import", built("plan/preload.js"), main], {
      cwd: directory,
      env: { ...process.env, KUBEWRIGHT_PLAN: path, PLAN_HOST: host },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let output = "";
    let result: PlanResult | undefined;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        output += String(chunk);
      });
    }
    child.on("message", (message: { kubewright?: string; result?: string }) => {
      if (message.kubewright !== "plan") return;
      result = JSON.parse(message.result ?? "") as PlanResult;
      // Timers of the operator could keep it alive.
      child.kill("SIGKILL");
    });
    const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { result, exitCode, output };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Parts of the code of an operator. */
export interface OperatorCode {
  /** Declarations before the manager. */
  readonly more?: string;
  /** Options of the manager. */
  readonly options?: string;
  /** Statements after the manager is created. */
  readonly setup?: string;
  /** Calls of the controller's builder. */
  readonly builder?: string;
}

/** Returns the code of an operator of Widgets, whose reconciler has the given body. */
export function widgetOperator(
  body: string,
  { more = "", builder = "", setup = "", options = "" }: OperatorCode = {},
): string {
  return `
import * as runtime from "@kubewright/runtime";
const { Manager, newControllerManagedBy, silentLogger, ApiError, external } = runtime;
const kind = (group, version, name, plural, scope = "Namespaced") =>
  runtime.groupVersion(group, version).kind(name, { plural, scope });
const Widget = kind("test.kubewright.dev", "v1", "Widget", "widgets");
const ConfigMap = kind("", "v1", "ConfigMap", "configmaps");
const Deployment = kind("apps", "v1", "Deployment", "deployments");
const configMap = (name, data, more = {}) =>
  ({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name, ...more }, data });
${more}
const mgr = await Manager.create({ host: process.env.PLAN_HOST }, { logger: silentLogger, ${options} });
const { client, apiReader } = mgr;
${setup}
let count = 0;
await newControllerManagedBy(mgr).for(Widget)${builder}.complete({
  async reconcile(ctx, { namespace, name }) {
    count++;
    const key = { namespace, name };
    ${body}
  },
});
await mgr.start(new AbortController().signal);
`;
}
