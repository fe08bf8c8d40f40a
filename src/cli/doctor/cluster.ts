import { printable } from "../../project/names.ts";
import { ask, jsonOf, type Surroundings } from "./ask.ts";
import type { Check } from "./check.ts";
import { featuresInUse } from "./crd-features.ts";

interface Versions {
  readonly clientVersion: { readonly gitVersion?: string };
  readonly serverVersion: { readonly gitVersion?: string };
}

/** Asks kubectl something that the cluster has to answer. */
export function askCluster(surroundings: Surroundings, ...args: string[]) {
  return ask(surroundings, surroundings.env.KUBECTL ?? "kubectl", ...args, "--request-timeout=3s");
}

/**
 * Which cluster kubectl reaches, as whom, and whether it is one for this kubectl and this project's CRDs. A cluster is needed
 * by few commands, and not to be reached is no fault of the project.
 */
export async function checkCluster(surroundings: Surroundings): Promise<Check[]> {
  const [answer, context, user] = await Promise.all([
    askCluster(surroundings, "version", "-o", "json"),
    askCluster(surroundings, "config", "current-context"),
    askCluster(surroundings, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"),
  ]);
  const versions = jsonOf<Versions>(answer);
  const server = versions?.serverVersion?.gitVersion;
  const where = context.failed ? undefined : context.stdout.trim();
  if (server === undefined) {
    const at = where === undefined ? "" : ` (context ${where})`;
    const reason = firstLine(answer.stderr).replace(/^error: /, "");
    const isUnset = where === undefined && (reason === "" || context.stderr.includes("current-context is not set"));
    const why = reason === "" ? "kubectl cluster-info says why" : `kubectl says: ${printable(reason)}`;
    const hint = isUnset ? "kubectl config use-context picks one, or KUBECONFIG names a file that does" : why;
    const message = `cluster can't be reached${at}: make install, run and deploy need one`;
    return [{ id: "cluster", status: "notice", message, hint }];
  }
  const who = user.failed || user.stdout.trim() === "" ? "" : ` as ${user.stdout.trim()}`;
  return [
    { id: "cluster", status: "ok", message: `cluster ${server}: context ${where ?? "of the Pod"}${who}` },
    ...checkSkew(versions?.clientVersion?.gitVersion, server),
    ...checkFeatures(surroundings.cwd, server),
  ];
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
  return featuresInUse(cwd)
    .filter(({ since }) => since > minor)
    .map(({ name, since, file }) => ({
      id: "crd-features",
      status: "notice",
      message: `${file} uses ${name}, which Kubernetes has since 1.${since}, and the cluster is ${server}`,
      hint: "upgrade the cluster, or take the marker away",
      file,
    }));
}
