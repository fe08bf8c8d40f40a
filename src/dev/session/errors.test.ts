import type { DevProblem } from "@kubewright/dashboard/protocol";
import { expect, it } from "vitest";
import { SessionEvents } from "../store/session-events.ts";
import { OpenErrors } from "./errors.ts";
import { ProblemReports } from "./problem-reports.ts";

const problem = (message: string, line = 1, file = "src/a.ts"): DevProblem => ({ phase: "types", message, file, line });

/** Collects what is reported. */
function reports() {
  const seen: string[] = [];
  const errors = new OpenErrors();
  const events = new SessionEvents();
  events.on("event", ({ time: _, ...event }) => {
    seen.push(event.event === "error" ? `${event.file}:${event.line} ${event.message}` : JSON.stringify(event));
  });
  const problems = new ProblemReports(errors, events, () => false);
  const report = (...reported: DevProblem[]): string[] => {
    problems.report(reported[0]?.phase ?? "types", reported);
    return seen.splice(0);
  };
  return { errors, report };
}

it("an error is reported once, and again only if it has changed, or went away and came back", () => {
  const { errors, report } = reports();
  expect(report(problem("one"), problem("two"))).toEqual(["src/a.ts:1 one", "src/a.ts:1 two"]);
  expect(report(problem("one"), problem("two"))).toEqual([]);
  // Another line moved it: its position is still current in the answers of the session.
  expect(report(problem("one", 5), problem("changed"))).toEqual(["src/a.ts:1 changed"]);
  expect(errors.all.map(({ line }) => line)).toEqual([5, 1]);
  expect(report()).toEqual(['{"event":"fixed","phases":["types"]}']);
  expect(report()).toEqual([]);
  expect(report(problem("one"))).toEqual(["src/a.ts:1 one"]);
});

it("equal errors of a file are counted: one more of them is reported", () => {
  const { report } = reports();
  expect(report(problem("same", 1), problem("same", 2))).toHaveLength(2);
  expect(report(problem("same", 1), problem("same", 2), problem("same", 3))).toEqual(["src/a.ts:3 same"]);
  expect(report(problem("same", 1, "src/b.ts"), problem("same", 1))).toEqual(["src/b.ts:1 same"]);
});

it("at most ten errors are reported, then their number", () => {
  const { errors, report } = reports();
  const many = (count: number) => Array.from({ length: count }, (_, index) => problem(`error ${index}`));
  const changes = report(...many(13));
  expect(changes).toHaveLength(11);
  expect(changes.at(-1)).toContain("3 more errors in types: npx scaffold dev status lists them");
  expect(errors.all).toHaveLength(13);
  expect(report(...many(14))).toEqual(["src/a.ts:1 error 13"]);
  report();
  expect(report(...many(11)).at(-1)).toContain("1 more error in types");
});

it("each end of a manager is reported, also with the same message", () => {
  const { report } = reports();
  const ended: DevProblem = { phase: "manager", message: "the manager ended with exit code 1" };
  expect(report(ended)).toHaveLength(1);
  expect(report(ended)).toHaveLength(1);
});
