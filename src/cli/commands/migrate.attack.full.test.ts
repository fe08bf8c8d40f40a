import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mostProcessorTime, processorTime } from "../../../scripts/test-support/processor-time.ts";
import { codeIn, hostileTexts } from "../../scaffold/from-crd/test-support/hostile.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

const definition = readFileSync(join(import.meta.dirname, "../../../testdata/from-crd/everything.yaml"), "utf8");

/** A migration is slow: each key is tested with some of the texts, and each text with some key in full runs. */
const turns = (turn: number) => hostileTexts.filter((_, index) => index % 9 === turn);

const entry = {
  api: { crdVersion: "v1" },
  controller: true,
  domain: "example.org",
  group: "tools",
  kind: "Gadget",
  path: "example.org/tools/api/v1",
  plural: "gadgets",
  version: "v1",
  webhooks: { defaulting: true, webhookVersion: "v1" },
};
const project = {
  domain: "example.org",
  layout: ["go.kubebuilder.io/v4"],
  projectName: "tools",
  repo: "example.org/tools",
  version: "3",
};

/** Migrates a project in Go. Returns the attacker's code that the result contains. */
async function migrated(
  files: Readonly<Record<string, string>>,
): Promise<{ code: number; stderr: string; found: string[] }> {
  const parent = testDirectory(Object.fromEntries(Object.entries(files).map(([path, text]) => [`go/${path}`, text])));
  const root = join(parent, "ts");
  mkdirSync(root);
  const { code, stderr } = await runCli(root, ["migrate", "../go", "--fetch-deps=false"]);
  return { code, stderr, found: codeIn(root) };
}

const withProject = (values: object) => ({ PROJECT: JSON.stringify(values), "config/crd/bases/a.yaml": definition });

describe("code injection by migrate", () => {
  it.for([..."kind group domain version plural path".split(" ").entries()])(
    "is prevented in PROJECT, %s of a resource",
    async ([turn, key], { task }) => {
      for (const text of turns(turn)) {
        const { code, stderr, found } = await migrated(
          withProject({ ...project, resources: [{ ...entry, [key]: text }] }),
        );
        expect({ text, found }).toEqual({ text, found: [] });
        expect(stderr).not.toContain("this is a bug");
        if (key !== "path" && text.includes("pwned")) expect({ text, code, stderr }).toMatchObject({ code: 1 });
      }
      Object.assign(task.meta, { attempts: turns(turn).length });
    },
  );

  it.for([..."projectName repo domain".split(" ").entries()])(
    "is prevented in PROJECT, %s",
    async ([turn, key], { task }) => {
      for (const text of turns(turn + 6)) {
        const { code, stderr, found } = await migrated(withProject({ ...project, [key]: text, resources: [entry] }));
        expect({ text, found }).toEqual({ text, found: [] });
        expect(stderr).not.toContain("this is a bug");
        if (text.includes("pwned")) expect(code).not.toBe(0);
      }
      Object.assign(task.meta, { attempts: turns(turn).length });
    },
  );

  it("is prevented in controller names, webhook paths and modules of PROJECT", async ({ task }) => {
    const text = '"); globalThis.pwned = 1; ("';
    const hostile = [
      { controllers: [{ name: text }] },
      { controllers: text },
      { controllers: [null] },
      { webhooks: { defaulting: true, defaultingPath: text } },
      { webhooks: { validation: true, validationPath: text } },
      { webhooks: { conversion: true, spoke: [text] } },
      { webhooks: { conversion: true, spoke: { a: 1 } } },
      { external: true, path: text, module: text },
      { core: text },
      { api: text },
    ];
    for (const values of hostile) {
      const { code, stderr, found } = await migrated(withProject({ ...project, resources: [{ ...entry, ...values }] }));
      expect({ values, code, found }).toEqual({ values, code: 1, found: [] });
      expect(stderr).not.toContain("this is a bug");
    }
    Object.assign(task.meta, { attempts: hostile.length });
  });

  it("is prevented in markers of Go sources and in the license header", async ({ task }) => {
    for (const text of turns(4)) {
      const go = `package controller\n\n// +kubebuilder:rbac:groups=apps${text},resources=pods,verbs=get\n// +kubebuilder:webhook:path=/mutate-tools-example-org-v1-gadget,${text}\n`;
      const files = {
        ...withProject({ ...project, resources: [entry] }),
        "internal/controller/gadget_controller.go": go,
        "internal/controller/other.go": go,
      };
      const { code, found } = await migrated(files);
      expect({ text, code, found }).toEqual({ text, code: 0, found: [] });
    }
    for (const head of [
      "/* a */ globalThis.pwned = 1;",
      "/* a */\u2028globalThis.pwned = 1;",
      "// a\nglobalThis.pwned = 1;",
      "// a\u2028globalThis.pwned = 1;",
      "/* */ /* globalThis.pwned",
    ]) {
      const { code, stderr, found } = await migrated({
        ...withProject({ ...project, resources: [entry] }),
        "hack/boilerplate.go.txt": head,
      });
      expect({ head, code, found }).toEqual({ head, code: 1, found: [] });
      expect(stderr).toMatch(/must contain only comments/);
    }
    Object.assign(task.meta, { attempts: turns(4).length + 5 });
  });

  it("costly lines in Go sources are read in bounded time", async () => {
    const long = `// +kubebuilder:rbac:groups=apps,${" \t\r".repeat(300_000)}x\n`;
    const sample = `apiVersion:${" ".repeat(1_000_000)}\nkind:${" ".repeat(1_000_000)}\n`;
    const used = processorTime();
    const files = { "internal/controller/gadget_controller.go": long.repeat(3), "config/samples/a.yaml": sample };
    const { code } = await migrated({ ...withProject({ ...project, resources: [entry] }), ...files });
    expect(code).toBe(0);
    expect(used()).toBeLessThan(mostProcessorTime);
  });
});
