import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { printable } from "../../project/names.ts";
import { openTree } from "../../scaffold/tree.ts";
import { isInside } from "../programs.ts";
import { type Answer, ask, jsonOf, noAnswer, type Surroundings } from "./ask.ts";
import type { Check } from "./check.ts";
import { featuresInUse } from "./crd-features.ts";

interface Versions {
  readonly clientVersion: { readonly gitVersion?: string };
  readonly serverVersion: { readonly gitVersion?: string };
}

/** Asks kubectl something that the cluster has to answer. */
export async function askCluster(surroundings: Surroundings, ...args: string[]): Promise<Answer> {
  const { env, cwd } = surroundings;
  if (kubeconfigInside(surroundings) !== undefined) return noAnswer;
  const files = kubeconfigs(surroundings);
  const KUBECONFIG = env.KUBECONFIG === undefined ? undefined : files.map((file) => resolve(cwd, file)).join(delimiter);
  const asked = { ...surroundings, env: { ...env, KUBECONFIG } };
  return ask(asked, env.KUBECTL ?? "kubectl", ...args, "--request-timeout=3s");
}

/** The kubeconfig files that kubectl reads, as they are named. */
function kubeconfigs({ env }: Surroundings): string[] {
  const named = (env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "");
  return named.length > 0 ? named : [join(env.HOME ?? homedir(), ".kube", "config")];
}

/** A kubeconfig that the checkout brings: it names programs that kubectl starts, and files whose content it sends. */
function kubeconfigInside(surroundings: Surroundings): string | undefined {
  const { cwd } = surroundings;
  return kubeconfigs(surroundings).find((file) => isInside(resolve(cwd, file), cwd));
}

/**
 * Which cluster kubectl reaches, as whom, and whether it is one for this kubectl and this project's CRDs. A cluster is needed
 * by few commands, and not to be reached is no fault of the project.
 */
export async function checkCluster(surroundings: Surroundings): Promise<Check[]> {
  const brought = kubeconfigInside(surroundings);
  if (brought !== undefined) {
    const message = `cluster isn't checked: the kubeconfig ${printable(brought)} is in this project, and may name programs to run`;
    return [
      { id: "cluster", status: "notice", message, hint: "kubectl cluster-info checks it, if you trust that file" },
    ];
  }
  const [answer, context, user] = await Promise.all([
    askCluster(surroundings, "version", "-o", "json"),
    askCluster(surroundings, "config", "current-context"),
    askCluster(surroundings, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"),
  ]);
  const versions = jsonOf<Versions>(answer);
  const server = printed(versions?.serverVersion?.gitVersion);
  const where = context.failed ? undefined : printed(context.stdout.trim());
  if (server === undefined) {
    const at = where === undefined ? "" : ` (context ${where})`;
    const reason = firstLine(answer.stderr).replace(/^error: /, "");
    const isUnset = where === undefined && (reason === "" || context.stderr.includes("current-context is not set"));
    const why = reason === "" ? "kubectl cluster-info says why" : `kubectl says: ${printable(reason)}`;
    const hint = isUnset ? "kubectl config use-context picks one, or KUBECONFIG names a file that does" : why;
    const message = `cluster can't be reached${at}: make install, run and deploy need one`;
    return [{ id: "cluster", status: "notice", message, hint }];
  }
  const who = user.failed || user.stdout.trim() === "" ? "" : ` as ${printed(user.stdout.trim())}`;
  return [
    { id: "cluster", status: "ok", message: `cluster ${server}: context ${where ?? "of the Pod"}${who}` },
    ...checkSkew(printed(versions?.clientVersion?.gitVersion), server),
    ...checkFeatures(surroundings.cwd, server),
  ];
}

/** Text of a server or a kubeconfig, without what a terminal obeys; undefined if it isn't text. */
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

/** kubectl is made for servers of its own minor version, one more and one less. */
function checkSkew(client: string | undefined, server: string): Check[] {
  const [ours, theirs] = [minorOf(client), minorOf(server)];
  if (ours === undefined || theirs === undefined || Math.abs(ours - theirs) <= 1) return [];
  const message = `kubectl ${client} and the cluster's ${server} are more than one minor version apart`;
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
      message: `${file} uses ${name}, which Kubernetes has since 1.${since}, and the cluster is ${server}`,
      hint: "upgrade the cluster, or take the marker away",
      file,
    }));
}
