import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { project } from "../../generate/test-support/project.ts";
import { requestOf } from "../../generate/test-support/request.ts";
import { Generator } from "./generator.ts";

/** The files that the compiler has parsed. */
const parsed: string[] = [];
vi.mock(import("../../generate/source/ts-morph/reader.ts"), async (original) => {
  const { createReader } = await original();
  return {
    createReader: () => {
      const reader = createReader();
      return {
        ...reader,
        parse: (path, text) => {
          parsed.push(basename(path));
          return reader.parse(path, text);
        },
      };
    },
  };
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

  describe("with a cache", () => {
    const kind = (field: string) => `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

// +kubebuilder:object:root=true
export interface Game extends KubernetesObject<"Game"> {
  ${field}?: number;
}
`;
    function setUp() {
      const root = project({ "api/v1/game.ts": kind("players") });
      const cache = { directory: join(root, "node_modules/.cache"), tool: "test" };
      const generator = () => {
        const request = async () => requestOf(root, ["crd", "paths=./...", "output:dir=config"]);
        return new Generator(root, request, cache);
      };
      parsed.length = 0;
      return { root, generator, edit: (text: string) => writeFileSync(join(root, "api/v1/game.ts"), text) };
    }
    it("returns the output of an earlier session without parsing a file", async () => {
      const { generator } = setUp();
      expect((await generator().run()).files).toEqual(["config/example.com_games.yaml"]);
      expect(parsed).toHaveLength(1);
      expect(await generator().run()).toEqual({ files: [], breaking: [], warnings: [], problems: [] });
      expect(parsed).toHaveLength(1);
    });

    it("parses only the edited file after it was loaded, and reports its errors in the next run", async () => {
      const { root, generator, edit } = setUp();
      writeFileSync(join(root, "api/v1/other.ts"), "export interface Other {}\n");
      await generator().run();
      const next = generator();
      await next.run();
      parsed.length = 0;
      edit(kind("a b"));
      await next.load(new AbortController().signal);
      expect(parsed).toEqual(["game.ts", "other.ts"]);
      expect(await next.run()).toMatchObject({ files: [], problems: [{ id: "syntax-error" }] });
      edit(kind("seats"));
      expect(await next.run()).toMatchObject({ files: ["config/example.com_games.yaml"], problems: [] });
      expect(parsed).toEqual(["game.ts", "other.ts", "game.ts"]);
    });

    it("doesn't load after the session's end", async () => {
      const { generator } = setUp();
      await generator().load(AbortSignal.abort());
      expect(parsed).toEqual([]);
    });
  });
});
