import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import { codecOf } from "../../resources.ts";
import { callsOf } from "../strategy.fixture.ts";
import { priorityLevelConfiguration } from "./priority-level-configuration.ts";

const { create } = callsOf(priorityLevelConfiguration);
const limited = (more: JsonObject): JsonObject => ({
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, lendablePercent: 0, ...more },
});
const queuing = (values: JsonObject): JsonObject => limited({ limitResponse: { type: "Queue", queuing: values } });
const path = "spec.limited.limitResponse";
const cases: [JsonObject, string[]][] = [
  [limited({}), []],
  [{}, ["spec.type: Required value"]],
  [{ type: "X" }, ['spec.type: Unsupported value: "X": supported values: "Exempt", "Limited"']],
  [{ type: "Limited" }, ["spec.limited: Required value"]],
  [{ ...limited({}), exempt: {} }, ["spec.exempt: Forbidden"]],
  [
    { ...limited({}), type: "Exempt" },
    [
      "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
      "spec.limited: Forbidden",
    ],
  ],
  [
    limited({ nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 }),
    [
      "spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer",
      "spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive",
      "spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer",
    ],
  ],
  [limited({ limitResponse: {} }), [`${path}.type: Required value`]],
  [limited({ limitResponse: { type: "Queue" } }), [`${path}.queuing: Required value`]],
  [queuing({ queues: 10, handSize: 2, queueLengthLimit: 1 }), []],
  [
    queuing({ queues: 10, handSize: 20, queueLengthLimit: -1 }),
    [
      `${path}.queuing.queueLengthLimit: Invalid value: -1: must be positive`,
      `${path}.queuing.handSize: Invalid value: 20: should not be greater than queues (10)`,
    ],
  ],
  [
    queuing({ queues: 10_000_000, handSize: 8, queueLengthLimit: 1 }),
    [
      `${path}.queuing.handSize: Invalid value: 8: required entropy bits of deckSize 10000000 and handSize 8 should not be greater than 60`,
    ],
  ],
];

test.each(cases)("%j", (spec, expected) => {
  expect(create({ spec }).errors).toEqual(expected);
});

test("the levels that every cluster has can't change", () => {
  expect(create({ metadata: { name: "exempt" }, spec: { type: "Exempt", exempt: {} } }).errors).toEqual([]);
  expect(create({ metadata: { name: "catch-all" }, spec: limited({ lendablePercent: 1 }) }).errors).toHaveLength(1);
});

test("absent numbers have defaults", () => {
  const kind = "PriorityLevelConfiguration";
  const value = {
    kind,
    metadata: {},
    spec: { type: "Limited", limited: { limitResponse: { queuing: { queues: 0 } } } },
  };
  const { object } = codecOf("flowcontrol.apiserver.k8s.io", "v1", kind).decode(value);
  expect(object.spec).toEqual({
    type: "Limited",
    limited: {
      nominalConcurrencyShares: 30,
      lendablePercent: 0,
      limitResponse: { type: "", queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
    },
  });
});
