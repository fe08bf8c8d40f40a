import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { daemonSet } from "./daemon-set.ts";
import { statefulSet } from "./stateful-set.ts";

const container = {
  name: "app",
  image: "app:1",
  terminationMessagePolicy: "File",
  imagePullPolicy: "Always",
};
const template = {
  metadata: { labels: { a: "b" } },
  spec: {
    containers: [container],
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    terminationGracePeriodSeconds: 30,
  },
};
const selector = { matchLabels: { a: "b" } };
const set = { podManagementPolicy: "Parallel", updateStrategy: { type: "RollingUpdate" }, selector, template };
const sets = callsOf(statefulSet);
const errorsOf = (fields: JsonObject): string[] => sets.create({ spec: { ...set, ...fields } }).errors;

it("the partition of a StatefulSet must not be negative, and only rolling updates have one", () => {
  expect(errorsOf({})).toEqual([]);
  expect(errorsOf({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: -1 } } })).toEqual([
    "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0",
  ]);
  expect(errorsOf({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } })).toEqual([
    `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
  ]);
});

it("checks the claims of a new StatefulSet", () => {
  expect(errorsOf({ volumeClaimTemplates: [{ metadata: { name: "v" }, spec: {} }] })).toEqual([
    "spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required",
    "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value",
  ]);
});

it("ignores the host names in the template of a StatefulSet, which its controller replaces", () => {
  const spec = { ...template.spec, hostname: "A b", subdomain: "A b" };
  expect(errorsOf({ template: { ...template, spec } })).toEqual([]);
});

it("keeps how many Pods an update makes unavailable", () => {
  const strategyOf = (maxUnavailable: number): JsonObject => ({
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable } },
  });
  const { object, errors } = sets.create({ spec: { ...set, ...strategyOf(2) } });
  expect(errors).toEqual([]);
  expect(object.spec).toMatchObject({ updateStrategy: { rollingUpdate: { partition: 0, maxUnavailable: 2 } } });
  expect(errorsOf(strategyOf(0))).toEqual([
    "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0",
  ]);
});

it.each<[rule: string, rollingUpdate: JsonObject, error: string]>([
  [
    "has more or less Pods for some time",
    { maxUnavailable: 0, maxSurge: 0 },
    "maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
  ],
  [
    "doesn't have both more and less Pods",
    { maxUnavailable: 1, maxSurge: 1 },
    "maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero",
  ],
  [
    "has at most twice as many Pods",
    { maxUnavailable: 0, maxSurge: "120%" },
    'maxSurge: Invalid value: "120%": must not be greater than 100%',
  ],
])("a rolling update of a DaemonSet %s", (_rule, rollingUpdate, error) => {
  const updateStrategy = { type: "RollingUpdate", rollingUpdate };
  const { errors } = callsOf(daemonSet).create({ spec: { selector, template, updateStrategy } });
  expect(errors).toEqual([`spec.updateStrategy.rollingUpdate.${error}`]);
});
