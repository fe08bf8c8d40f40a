import { spawn } from "node:child_process";
import { type Client, groupVersion } from "@kubewright/runtime";
import { expect } from "vitest";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import type { PlanDocument } from "./result.ts";

/** The cluster of a real run, and the plan for it. */
export interface RealRun {
  readonly planned: PlanDocument;
  readonly client: Client;
  readonly kubeconfig: string;
}

/** Builds and runs the operator of a project, and expects that it makes the changes of a plan. */
export async function expectRealRun(project: string, { planned, client, kubeconfig }: RealRun): Promise<void> {
  await scaffold(project, "build");
  const args = ["dist/main.js", "--metrics-bind-address=0", "--health-probe-bind-address=0"];
  const env = { ...process.env, KUBECONFIG: kubeconfig, ENABLE_WEBHOOKS: "false" };
  const manager = spawn(process.execPath, args, { cwd: project, env });
  try {
    for (const { apiVersion, kind, namespace, name, fields } of planned.changes) {
      const wanted = fields.filter(({ path }) => /^(?:spec|status|metadata\.labels)/.test(path));
      const [version = "", group = ""] = apiVersion.split("/").reverse();
      const of = groupVersion(group, version).kind(kind);
      await expect
        .poll(async () => {
          const object = await client.get(of, { namespace, name }).catch(() => undefined);
          return wanted.map(({ path }) => [path, comparable(valueAt(object, path))]);
        })
        .toEqual(wanted.map(({ path, after }) => [path, comparable(after)]));
    }
  } finally {
    manager.kill("SIGTERM");
    await new Promise((resolve) => manager.once("close", resolve));
  }
}

/** The addresses and times of a plan differ from those of a real run. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner) =>
    ["clusterIP", "clusterIPs", "lastTransitionTime"].includes(key) ? undefined : inner,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

function valueAt(object: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], object);
}
