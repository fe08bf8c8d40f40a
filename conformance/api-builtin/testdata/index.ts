import type { Changes, KindCases } from "../case.ts";
import { admissionKinds } from "./admission.ts";
import { clusterKinds } from "./cluster.ts";
import { coreKinds } from "./core.ts";
import { pods } from "./pods.ts";
import { policyKinds } from "./policies.ts";
import { storageKinds } from "./storage.ts";
import {
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "./workloads.ts";

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
  ...coreKinds,
  ...storageKinds,
  ...policyKinds,
  ...admissionKinds,
  ...clusterKinds,
].map(withMetadata);
