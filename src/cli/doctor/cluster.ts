import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { openTree } from "../../scaffold/files/tree.ts";
import { printable } from "../../text/shown.ts";
import { isInside } from "../framework/programs.ts";
import { type Answer, ask, type CheckContext, jsonOf, noAnswer } from "./ask.ts";
import type { Check } from "./check.ts";
import { featuresInUse } from "./crd-features.ts";

interface Versions {
  readonly clientVersion: { readonly gitVersion?: string };
  readonly serverVersion: { readonly gitVersion?: string };
}

/** Runs a kubectl command that sends a request to the cluster. */
export async function askCluster(context: CheckContext, ...args: string[]): Promise<Answer> {
  const { env, cwd } = context;
  if (kubeconfigInside(context) !== undefined) return noAnswer;
  const files = kubeconfigs(context);
  const KUBECONFIG = env.KUBECONFIG === undefined ? undefined : files.map((file) => resolve(cwd, file)).join(delimiter);
  const asked = { ...context, env: { ...env, KUBECONFIG } };
  return ask(asked, env.KUBECTL ?? "kubectl", ...args, "--request-timeout=3s");
}

/** Returns the paths of the kubeconfig files that kubectl reads, as configured. */
function kubeconfigs({ env }: CheckContext): string[] {
  const named = (env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return named.length > 0 ? named : [join(env.HOME ?? homedir(), ".kube", "config")];
}

/** Returns a kubeconfig inside the checkout. It isn't trusted: kubectl would start the programs and send the files that it names. */
function kubeconfigInside(context: CheckContext): string | undefined {
  const { cwd } = context;
  return kubeconfigs(context).find((file) => isInside(resolve(cwd, file), cwd));
}

/**
 * Checks which cluster and user kubectl is configured for, and whether the cluster supports this kubectl and the project's CRDs.
 * An unreachable cluster is only a warning, because few commands need one.
 */
export async function checkCluster(context: CheckContext): Promise<Check[]> {
  const brought = kubeconfigInside(context);
  if (brought !== undefined) {
    const message = `cluster not checked: the kubeconfig ${printable(brought)} is in this project and can run programs`;
    return [{ id: "cluster", status: "notice", message, hint: "if you trust that file, run kubectl cluster-info" }];
  }
  const [answer, currentContext, user] = await Promise.all([
    askCluster(context, "version", "-o", "json"),
    askCluster(context, "config", "current-context"),
    askCluster(context, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"),
  ]);
  const versions = jsonOf<Versions>(answer);
  const server = printed(versions?.serverVersion?.gitVersion);
  const where = currentContext.failed ? undefined : printed(currentContext.stdout.trim());
  if (server === undefined) {
    const at = where === undefined ? "" : ` (context ${where})`;
    const reason = firstLine(answer.stderr).replace(/^error: /, "");
    const isUnset =
      where === undefined && (reason === "" || currentContext.stderr.includes("current-context is not set"));
    const why = reason === "" ? "run kubectl cluster-info to find out why" : `kubectl reports: ${printable(reason)}`;
    const hint = isUnset ? 'select a context with "kubectl config use-context", or set KUBECONFIG' : why;
    const message = `cluster not reachable${at}: make install, run and deploy need a cluster`;
    return [{ id: "cluster", status: "notice", message, hint }];
  }
  const who = user.failed || user.stdout.trim() === "" ? "" : ` as ${printed(user.stdout.trim())}`;
  return [
    {
      id: "cluster",
      status: "ok",
      message: `cluster ${server}: ${where === undefined ? "in-cluster configuration" : `context ${where}`}${who}`,
    },
    ...checkSkew(printed(versions?.clientVersion?.gitVersion), server),
    ...checkFeatures(context.cwd, server),
  ];
}

/** Returns a string from a server or kubeconfig without control characters, or undefined if the value isn't a string. */
function printed(value: unknown): string | undefined {
  return typeof value === "string" ? printable(value) : undefined;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.trim() ?? "";
}

/** `v1.36.3` → 36. */
function minorOf(version: string | undefined): number | undefined {
  const minor = /^v?1\.(\d+)/.exec(version ?? "")?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** kubectl supports API servers that are at most one minor version newer or older. */
function checkSkew(client: string | undefined, server: string): Check[] {
  const [ours, theirs] = [minorOf(client), minorOf(server)];
  if (ours === undefined || theirs === undefined || Math.abs(ours - theirs) <= 1) return [];
  const message = `kubectl ${client} and API server ${server} are more than one minor version apart`;
  return [{ id: "kubectl-skew", status: "notice", message, hint: `install kubectl 1.${theirs}` }];
}

function checkFeatures(cwd: string, server: string): Check[] {
  const minor = minorOf(server);
  if (minor === undefined) return [];
  return featuresInUse(openTree(cwd))
    .filter(({ since }) => since > minor)
    .map(({ name, since, file }) => ({
      id: "crd-features",
      status: "notice",
      message: `${file} uses ${name}, which requires Kubernetes 1.${since}; the cluster runs ${server}`,
      hint: "upgrade the cluster, or remove the marker",
      file,
    }));
}
