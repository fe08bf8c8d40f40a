// Both forms of a reconciler must pass the type checker (npm run typecheck) and the linter of a scaffolded project.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Context, Reconciler, Request, Result } from "@kubewright/runtime";
import { describe, expect, expectTypeOf, it } from "vitest";
import { initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

class WithResult implements Reconciler {
  async reconcile(_ctx: Context, req: Request): Promise<Result | undefined> {
    if (req.name === "") return;
    return req.name === "later" ? { requeueAfter: 60_000 } : undefined;
  }
}

class WithoutResult implements Reconciler {
  async reconcile(ctx: Context, req: Request): Promise<void> {
    if (req.name === "") return;
    ctx.log.info("Reconciled", { name: req.name });
  }
}

describe("reconcilers", () => {
  it("return a result, nothing, or either", () => {
    expectTypeOf<WithResult>().toExtend<Reconciler>();
    expectTypeOf<WithoutResult>().toExtend<Reconciler>();
    // @ts-expect-error: a duration is a number of milliseconds
    const text: Reconciler = { reconcile: async () => ({ requeueAfter: "1m" }) };
    expect(text).toBeDefined();
  });

  it("pass the linter of a scaffolded project in both forms", async () => {
    const root = testDirectory();
    await initProject(root);
    const source = readFileSync(import.meta.filename, "utf8");
    const classes = [...source.matchAll(/^class [\s\S]*?^}$/gm)].map(([text]) => `export ${text}\n`);
    expect(classes).toHaveLength(2);
    const head = 'import type { Context, Reconciler, Request, Result } from "@kubewright/runtime";\n';
    writeFileSync(join(root, "src/reconcilers.ts"), [head, ...classes].join("\n"));
    writeFileSync(join(root, "src/confusing.ts"), "export type Confusing = Promise<string | void>;\n");
    const biome = join(dirname(createRequire(import.meta.url).resolve("@biomejs/biome/package.json")), "bin/biome");
    const check = (file: string): string => {
      const result = spawnSync(process.execPath, [biome, "check", "--colors=off", file], {
        cwd: root,
        encoding: "utf8",
      });
      return `${result.status} ${result.stdout}${result.stderr}`;
    };
    expect(check("src/reconcilers.ts")).toMatch(/^0 /);
    expect(check("src/confusing.ts")).toContain("noConfusingVoidType");
  });
});
