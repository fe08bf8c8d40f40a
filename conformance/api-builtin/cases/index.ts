import type { Changes, KindCases } from "../case.ts";
import { accessKinds } from "./access.ts";
import { admissionKinds } from "./admission.ts";
import { clusterKinds } from "./cluster.ts";
import { configKinds } from "./config.ts";
import { coreKinds } from "./core.ts";
import { deviceKinds } from "./devices.ts";
import { driverKinds } from "./drivers.ts";
import { eventKinds } from "./events.ts";
import { flowControlKinds } from "./flow-control.ts";
import { cronJobs, jobs } from "./jobs.ts";
import { networkKinds } from "./networks.ts";
import { pods } from "./pods.ts";
import { policyKinds } from "./policies.ts";
import { serviceKinds } from "./services.ts";
import { storageKinds } from "./storage.ts";
import { daemonSets, deployments, replicaSets, replicationControllers, statefulSets } from "./workloads.ts";

/** Mistakes in metadata, which kinds check by different rules. */
const metadata: Record<string, Changes> = {
  "an invalid label": { "metadata/labels": { "a b": "c" } },
  "a finalizer without a domain": { "metadata/finalizers": ["a"] },
};

function withMetadata(cases: KindCases): KindCases {
  return {
    ...cases,
    creations: { ...cases.creations, ...metadata, "an invalid name": { "metadata/name": "A_b" } },
    ...(cases.changesAtOnce
      ? {}
      : { updates: { ...cases.updates, ...metadata, "another UID": { "metadata/uid": "x" } } }),
  };
}

/** The cases of all kinds. */
export const allKinds: readonly KindCases[] = [
  pods,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  replicationControllers,
  jobs,
  cronJobs,
  ...configKinds,
  ...serviceKinds,
  ...coreKinds,
  ...eventKinds,
  ...storageKinds,
  ...driverKinds,
  ...accessKinds,
  ...policyKinds,
  ...networkKinds,
  ...admissionKinds,
  ...flowControlKinds,
  ...deviceKinds,
  ...clusterKinds,
].map(withMetadata);
