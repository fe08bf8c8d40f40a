import type { KindCases } from "../case.ts";
import { admissionKinds } from "./admission.ts";
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
];
