import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { project } from "../../generate/test-support/project.ts";
import { requestOf } from "../../generate/test-support/request.ts";
import { Generator } from "./generator.ts";

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

  it("reports warnings that the run before didn't have, once the errors are fixed", async () => {
    const kind = (name: string) => `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

// +kubebuilder:object:root=true
export interface ${name} extends KubernetesObject<"${name}"> {}
`;
    const root = project({ "api/v1/kind.ts": kind("Game") });
    const options = ["crd", "paths=./...", "output:dir=config"];
    const generator = new Generator(root, async () => requestOf(root, options));
    const ids = async () => (await generator.run()).warnings.map(({ id, file }) => `${id} ${file}`);
    expect(await ids()).toEqual([]);
    writeFileSync(join(root, "api/v1/broken.ts"), "export const a = (;\n");
    writeFileSync(join(root, "api/v1/kind.ts"), kind("Match"));
    expect(await ids()).toEqual([]);
    rmSync(join(root, "api/v1/broken.ts"));
    expect(await ids()).toEqual(["extraneous-crd config/example.com_games.yaml"]);
    expect(await ids()).toEqual([]);
  });
});
