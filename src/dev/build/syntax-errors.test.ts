import { describe, expect, it } from "vitest";
import { project } from "../../generate/test-support/project.ts";
import { requestOf } from "../../generate/test-support/request.ts";
import { Generator } from "./generator.ts";
import type { DevProblem } from "./problem.ts";
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

describe("the generator", () => {
  const problemsOf = (files: Readonly<Record<string, string>>) => {
    const root = project(files);
    const options = ["rbac:roleName=r", "crd", "webhook", "paths=./...", "output:dir=config"];
    return new Generator(root, async () => requestOf(root, options)).run().then(({ problems }) => problems);
  };

  it("passes the hint of an error on", async () => {
    const types = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

// +kubebuilder:object:root=true
export interface Game extends KubernetesObject<"Game"> {
  // +kubebuilder:validation:Minimun=1
  players?: number;
}
`;
    const problems = await problemsOf({ "api/v1/game.ts": types });
    expect(problems).toContainEqual(
      expect.objectContaining({
        phase: "generate",
        file: "api/v1/game.ts",
        line: 6,
        hint: expect.stringContaining("Minimum"),
        frame: expect.stringContaining("> 6 |"),
      }),
    );
  });

  it("reports a syntax error once, not per generator, and without its consequences", async () => {
    const code = "export class A {\n  async one((x: string): void {\n  }\n  async two(): void {}\n}\n";
    expect(await problemsOf({ "src/a.ts": code, "api/v1/game.ts": "export interface A {\n  a: ;\n}\n" })).toMatchObject(
      [
        { id: "syntax-error", file: "api/v1/game.ts", line: 2 },
        { id: "syntax-error", file: "src/a.ts", line: 2 },
      ],
    );
  });
});
