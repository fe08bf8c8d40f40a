// The schemas of CronJob's own fields in the CustomResourceDefinition of kubebuilder's book.

export const group = "batch.tutorial.kubebuilder.io";

const limit = { type: "integer", format: "int32", minimum: 0 };

const specFields = {
  concurrencyPolicy: { type: "string", enum: ["Allow", "Forbid", "Replace"], default: "Allow" },
  failedJobsHistoryLimit: limit,
  startingDeadlineSeconds: { type: "integer", format: "int64", minimum: 0 },
  successfulJobsHistoryLimit: limit,
  suspend: { type: "boolean" },
};

const text = { type: "string" };

/** The fields of `spec` in each version, except `jobTemplate`, which is a built-in type. */
export const specOf: Readonly<Record<string, object>> = {
  v1: { ...specFields, schedule: { type: "string", minLength: 0 } },
  v2: {
    ...specFields,
    schedule: {
      type: "object",
      properties: { minute: text, hour: text, dayOfMonth: text, month: text, dayOfWeek: text },
    },
  },
};

/** The part of `jobTemplate` to compare: the fields that the type has in the Kubernetes release of the book. */
export const jobSpecFields = [
  "activeDeadlineSeconds",
  "backoffLimit",
  "backoffLimitPerIndex",
  "completionMode",
  "completions",
  "managedBy",
  "manualSelector",
  "maxFailedIndexes",
  "parallelism",
  "podFailurePolicy",
  "podReplacementPolicy",
  "scheduling",
  "selector",
  "successPolicy",
  "suspend",
  "template",
  "ttlSecondsAfterFinished",
];

/** `status` in both versions, except `conditions`. */
export const statusFields = {
  active: {
    type: "array",
    items: {
      type: "object",
      properties: {
        apiVersion: text,
        fieldPath: text,
        kind: text,
        name: text,
        namespace: text,
        resourceVersion: text,
        uid: text,
      },
      "x-kubernetes-map-type": "atomic",
    },
    minItems: 1,
    maxItems: 10,
    "x-kubernetes-list-type": "atomic",
  },
  lastScheduleTime: { type: "string", format: "date-time" },
};

export const names = { kind: "CronJob", listKind: "CronJobList", plural: "cronjobs", singular: "cronjob" };
