import type { ContainerStatus, Pod } from "../common/objects.ts";
import { IndexSet } from "./indexes.ts";
import { countOf, type FailureRule, failureCountKey, isFailed, type Job } from "./types.ts";

/** The result of the policy of a Job for a failed Pod. */
export interface Verdict {
  /** False if the failure doesn't count. */
  counts: boolean;
  action?: string;
  /** Why the Job fails, if it does. */
  failure?: string;
}

/**
 * Applies the policy for failed Pods.
 *
 * @param job - the Job
 * @param pod - the failed Pod
 * @returns what follows
 */
export function judge(job: Job, pod: Pod): Verdict {
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const subject = matchedBy(rule, pod);
    if (subject === undefined) continue;
    const { action } = rule;
    if (action === "Ignore") return { counts: false, action };
    if (action === "FailJob") {
      return { counts: true, action, failure: `${subject} matching FailJob rule at index ${index}` };
    }
    return { counts: true, action };
  }
  return { counts: true };
}

/** Describes what a rule matches; undefined if it doesn't match. */
function matchedBy({ onExitCodes, onPodConditions }: FailureRule, { metadata, status }: Pod): string | undefined {
  const pod = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const matches = ({ name, state }: ContainerStatus): boolean => {
      const code = state.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
      return values.includes(code) === (operator === "In");
    };
    const container = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(matches);
    if (container === undefined) return undefined;
    return `Container ${container.name} for pod ${pod} failed with exit code ${container.state.terminated?.exitCode}`;
  }
  const condition = (status?.conditions ?? []).find((condition) =>
    onPodConditions?.some((pattern) => pattern.type === condition.type && pattern.status === condition.status),
  );
  return condition === undefined ? undefined : `Pod ${pod} has condition ${condition.type}`;
}

/** Returns true if the failure of a Pod fails its index. */
export function failsIndex(job: Job, pod: Pod): boolean {
  if (!isFailed(pod, job)) return false;
  const { counts, action } = judge(job, pod);
  if (action === "FailIndex") return true;
  return counts && countOf(pod, failureCountKey) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/**
 * Applies the policy for the success of an indexed Job.
 *
 * @param job - the Job
 * @param succeeded - its indexes that have succeeded
 * @returns why the Job succeeds; undefined if it doesn't yet
 */
export function successOf({ spec }: Job, succeeded: IndexSet): string | undefined {
  if (succeeded.size === 0) return undefined;
  for (const [index, { succeededIndexes, succeededCount }] of (spec.successPolicy?.rules ?? []).entries()) {
    const message = `Matched rules at index ${index}`;
    if (succeededIndexes === undefined) {
      if (succeededCount !== undefined && succeeded.size >= succeededCount) return message;
      continue;
    }
    const wanted = IndexSet.parse(succeededIndexes, spec.completions ?? 0);
    if (wanted.size === 0) continue;
    const reached = wanted.overlap(succeeded);
    if (reached === wanted.size || (succeededCount !== undefined && reached >= succeededCount)) return message;
  }
  return undefined;
}
