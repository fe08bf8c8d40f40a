import type { DevProblem } from "@kubewright/dashboard/protocol";
import { describe, expect, it } from "vitest";
import { SessionEvents } from "../store/session-events.ts";
import { OpenErrors } from "./errors.ts";
import { ProblemReports } from "./problem-reports.ts";

const file = "src/main.ts";
const inBundle: DevProblem = { phase: "bundle", message: 'Expected ")"', file };
const inTypes: DevProblem = { phase: "types", message: "')' expected.", file, id: "TS1005" };
const inGenerator: DevProblem = { phase: "generate", message: "')' expected.", file, id: "syntax-error" };

function session() {
  let outdated = false;
  const shown: string[] = [];
  const events = new SessionEvents();
  events.on("event", (event) => {
    const phase = "phases" in event ? event.phases : "phase" in event ? event.phase : "";
    shown.push(`${event.event} ${phase}`);
  });
  const reports = new ProblemReports(new OpenErrors(), events, () => outdated);
  return {
    shown,
    reports,
    edit: () => {
      outdated = true;
    },
    begin: () => {
      outdated = false;
    },
  };
}

describe("a syntax error is reported once", () => {
  it("if all steps find it", () => {
    const { shown, reports } = session();
    const reported = reports.reportBuild([inGenerator], { problems: [inBundle] });
    reports.reportTypes({ problems: [inTypes], isBlocking: true }, reported);
    expect(shown).toEqual(["error bundle"]);
  });

  it("if it is saved while the steps run, of which some have read the file before", () => {
    const { shown, reports, edit, begin } = session();
    edit();
    const bundle = { hash: "", inputs: [], conversions: "", write: () => "" };
    const reported = reports.reportBuild([inGenerator], bundle);
    reports.reportTypes({ problems: [inTypes], isBlocking: true }, reported);
    begin();
    reports.reportTypes(
      { problems: [inTypes], isBlocking: true },
      reports.reportBuild([inGenerator], { problems: [inBundle] }),
    );
    expect(shown).toEqual(["error bundle"]);
  });

  it("and fixed at once, even if files have changed meanwhile", () => {
    const { shown, reports, edit } = session();
    reports.reportTypes({ problems: [inTypes], isBlocking: true }, []);
    edit();
    reports.reportTypes({ problems: [], isBlocking: false }, []);
    expect(shown).toEqual(["error types", "fixed types"]);
  });
});
