import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { job } from "./job.ts";

const { update } = callsOf(job);
const container = { name: "c", image: "i", terminationMessagePolicy: "File", imagePullPolicy: "Always" };
const template = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { labels: { a: "b" }, ...metadata },
  spec: {
    containers: [container],
    restartPolicy: "Never",
    dnsPolicy: "ClusterFirst",
    terminationGracePeriodSeconds: 30,
    ...spec,
  },
});
const specOf = (of: JsonObject, more: JsonObject = {}): JsonObject => ({
  spec: {
    template: of,
    selector: { matchLabels: { a: "b" } },
    manualSelector: true,
    completionMode: "NonIndexed",
    podReplacementPolicy: "TerminatingOrFailed",
    completions: 1,
    parallelism: 1,
    backoffLimit: 6,
    suspend: false,
    ...more,
  },
});

describe("the template", () => {
  test("can't change, and the error shows it with all fields of Go's struct", () => {
    const other = template({ containers: [{ ...container, image: "j" }] });
    const [error = "", ...rest] = update(specOf(template()), specOf(other));
    expect(rest).toEqual([]);
    expect(error).toMatch(
      /^spec\.template: Invalid value: \{"labels":\{"a":"b"\},"Spec":\{"Volumes":null,.*\}: field is immutable$/,
    );
    expect(error).toContain('"Containers":[{"Name":"c","Image":"j","Command":null,');
  });

  test("can change its resources, node selection and labels if the Job is suspended and never started", () => {
    const suspended = (of: JsonObject): JsonObject => specOf(of, { suspend: true });
    const resources = { requests: { cpu: "1" } };
    const other = template(
      { containers: [{ ...container, resources }], nodeSelector: { n: "1" } },
      { labels: { a: "b", c: "d" } },
    );
    expect(update(suspended(template()), suspended(other))).toEqual([]);
    const [error = ""] = update(suspended(template()), suspended(template({ restartPolicy: "OnFailure" })));
    expect(error).toMatch(/^spec\.template\.spec: Invalid value: \{"Volumes":null,.*"RestartPolicy":"OnFailure",/);
  });
});

test("policies can't change", () => {
  const rules = [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }];
  const more = { podFailurePolicy: { rules }, podReplacementPolicy: "Failed" };
  expect(update(specOf(template()), specOf(template(), more))).toEqual([
    'spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"FailJob","OnExitCodes":{"ContainerName":null,"Operator":"In","Values":[1]},"OnPodConditions":null}]}: field is immutable',
  ]);
});

test("the error about uncounted Pods of a finished Job shows the fields of Go's struct", () => {
  const before = { ...specOf(template()), status: {} };
  const status = {
    conditions: [{ type: "Failed", status: "True" }],
    uncountedTerminatedPods: { succeeded: ["1"] },
  };
  expect(update(before, { ...specOf(template()), status }, "status")).toContain(
    'status.uncountedTerminatedPods: Invalid value: {"Succeeded":["1"],"Failed":null}: must be empty for finished job',
  );
});
