import { expect, it } from "vitest";
import { stateLabel } from "./state-label.ts";

it.each([
  [{ ready: true, status: "Current", statusMessage: "Resource is Ready" }, "Ready"],
  [{ ready: true, status: null, statusMessage: "" }, "Ready"],
  [{ ready: null, status: null, statusMessage: "" }, "No readiness"],
  [{ ready: null, status: "Current", statusMessage: "Job in progress." }, "No readiness"],
  [{ ready: false, status: null, statusMessage: "" }, "Not ready"],
  [{ ready: false, status: "InProgress", statusMessage: "Ready: 1/2" }, "Not ready: InProgress: Ready: 1/2"],
  [{ ready: false, status: "Failed", statusMessage: "" }, "Not ready: Failed"],
  [{ ready: false, status: "Terminating", statusMessage: "x", deleting: true }, "Being deleted"],
] as const)("the label of %j is %s", (object, label) => {
  expect(stateLabel({ deleting: false, ...object })).toBe(label);
});
