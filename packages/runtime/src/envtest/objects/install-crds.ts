import { setTimeout as sleep } from "node:timers/promises";
import { ignoreNotFound, isNotFound } from "../../errors/predicates.ts";
import type { CRD } from "../../manifests/crds.ts";
import type { Transport } from "../../transport/transport.ts";
import { install, pathBelow } from "./install.ts";

const COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The time limit and the interval of checks, in milliseconds. */
export interface Patience {
  maxTime: number;
  pollInterval: number;
}

/** Creates or updates the CRDs, and waits until all their served versions are available. */
export async function installCRDs(
  transport: Transport,
  crds: readonly CRD[],
  { maxTime, pollInterval }: Patience,
): Promise<void> {
  await Promise.all(crds.map((crd) => install(transport, COLLECTION, crd, `CRD ${crd.metadata?.name}`)));
  const deadline = performance.now() + maxTime;
  for (;;) {
    const missing = await notDiscovered(transport, crds);
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(
        `the API server doesn't serve these custom resources: ${missing.join(", ")}${await reasons(transport, crds)}`,
      );
    }
    await sleep(pollInterval);
  }
}

/** Deletes the CRDs with all their objects, and waits until they are removed. Missing CRDs are ignored. */
export async function uninstallCRDs(
  transport: Transport,
  crds: readonly CRD[],
  { maxTime, pollInterval }: Patience,
): Promise<void> {
  const paths = crds.map((crd) => pathBelow(COLLECTION, crd));
  for (const path of paths) await ignoreNotFound(transport.request({ method: "DELETE", path }));
  const deadline = performance.now() + maxTime;
  for (const path of paths) {
    while (await ignoreNotFound(transport.request({ method: "GET", path }))) {
      if (performance.now() > deadline) {
        throw new Error(
          `the CRD ${path.slice(COLLECTION.length + 1)} still exists: check the finalizers of its objects`,
        );
      }
      await sleep(pollInterval);
    }
  }
}

interface ResourceList {
  resources?: { name: string }[];
}

async function notDiscovered(transport: Transport, crds: readonly CRD[]): Promise<string[]> {
  const lists = new Map<string, Promise<Set<string>>>();
  const resources = (groupVersion: string): Promise<Set<string>> => {
    const list = lists.get(groupVersion) ?? discover(transport, groupVersion);
    lists.set(groupVersion, list);
    return list;
  };
  const missing: string[] = [];
  for (const { spec } of crds) {
    for (const version of spec.versions.filter(({ served }) => served)) {
      const groupVersion = `${spec.group}/${version.name}`;
      if (!(await resources(groupVersion)).has(spec.names.plural)) missing.push(`${groupVersion} ${spec.names.plural}`);
    }
  }
  return missing;
}

async function discover(transport: Transport, groupVersion: string): Promise<Set<string>> {
  try {
    const { body } = await transport.request({ method: "GET", path: `/apis/${groupVersion}` });
    return new Set((body as ResourceList).resources?.map(({ name }) => name));
  } catch (error) {
    if (isNotFound(error)) return new Set();
    throw error;
  }
}

interface Conditions {
  status?: { conditions?: { type: string; status: string; message?: string }[] };
}

// Some errors are visible only in the status, such as a name conflict with another CRD.
async function reasons(transport: Transport, crds: readonly CRD[]): Promise<string> {
  const texts: string[] = [];
  for (const crd of crds) {
    const { body } = await transport.request({ method: "GET", path: pathBelow(COLLECTION, crd) });
    for (const condition of (body as Conditions).status?.conditions ?? []) {
      if (condition.status === "False" && condition.message) texts.push(`${crd.metadata?.name}: ${condition.message}`);
    }
  }
  return texts.length > 0 ? ` (${texts.join("; ")})` : "";
}
