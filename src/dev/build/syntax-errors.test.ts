import type { DevProblem } from "@kubewright/dashboard/protocol";
import { describe, expect, it } from "vitest";
import { firstSyntaxErrors, withoutReportedSyntax } from "./syntax-errors.ts";

const problem = (id: string | undefined, file: string, line: number, message = "wrong"): DevProblem => ({
  phase: "types",
  ...(id === undefined ? {} : { id }),
  message,
  file,
  line,
  column: 1,
});

describe("problems", () => {
  it("contain the first syntax error of each file, and all others", () => {
    const first = problem("syntax-error", "a.ts", 1);
    const other = problem("TS1005", "b.ts", 7, "';' expected.");
    const type = problem("TS2322", "a.ts", 3);
    expect(
      firstSyntaxErrors([
        first,
        problem("syntax-error", "a.ts", 2),
        other,
        problem("TS1109", "b.ts", 8, "Expression expected."),
        type,
        problem("TS2322", "a.ts", 4),
      ]),
    ).toEqual([first, other, type, problem("TS2322", "a.ts", 4)]);
    // Without a file, they can be different ones.
    const without = [
      { phase: "types", message: "one", id: "TS1000" },
      { phase: "types", message: "two", id: "TS1000" },
    ] as const;
    expect(firstSyntaxErrors(without)).toEqual(without);
  });

  it("of the syntax are left out in files that another step has reported", () => {
    const syntax = problem("TS1005", "a.ts", 1);
    const type = problem("TS2322", "a.ts", 1);
    const bundled: DevProblem = { phase: "bundle", message: "wrong", file: "a.ts", line: 1, column: 2 };
    expect(withoutReportedSyntax([syntax, type], [bundled])).toEqual([type]);
    expect(
      withoutReportedSyntax([syntax, type], [{ ...problem("syntax-error", "a.ts", 9), phase: "generate" }]),
    ).toEqual([type]);
    expect(withoutReportedSyntax([syntax, type], [{ ...bundled, file: "b.ts" }])).toEqual([syntax, type]);
    expect(withoutReportedSyntax([syntax], [problem("TS2322", "a.ts", 9)])).toEqual([syntax]);
  });
});
