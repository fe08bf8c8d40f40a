import { describe, expect, it } from "vitest";
import { planMarkdown } from "./markdown.ts";
import { plan, result } from "./plan.fixture.ts";
import { planText } from "./text.ts";

describe("the text of a plan", () => {
  it("has the changes, their origins and the summary", async () => {
    const [, deployment] = result.changes;
    const changes = [{ ...deployment!, fields: deployment!.fields.slice(0, 1) }, ...result.changes.slice(2)];
    const text = planText(plan({ changes, external: [], failed: [], later: [], notes: [] }));
    await expect(text).toMatchFileSnapshot("testdata/plan.txt");
  });

  it("escapes control characters, and lists deletions", () => {
    const text = planText(plan({ external: [], failed: [], later: [], notes: [] }));
    expect(text).toContain('    + metadata.labels["example.com/x"]: \\u0007red\n');
    expect(text).toContain("- ConfigMap default/chess-old\n    by controller game, Game default/chess, src/");
  });

  it("names objects that are deleted and created again", () => {
    const [, deployment] = result.changes;
    const changes = [
      { ...deployment!, replaced: true, fields: [] },
      { ...deployment!, rollout: false, replaced: true, fields: [] },
    ];
    const text = planText(plan({ changes }));
    expect(text).toContain("~ Deployment default/chess    is deleted and created again, rolls out 2 Pods\n");
    expect(text).toContain("~ Deployment default/chess    is deleted and created again\n");
  });

  it("lists external calls, failures with markers, later reconciles and notes", () => {
    expect(planText(plan({ changes: [] }))).toContain(
      `External calls:
  buckets.create(photos) for Game default/chess

Failed, so the plan is incomplete:
  write of Game default/chess: secrets is forbidden (src/controller/game-controller.ts:90)
    add the marker // +kubebuilder:rbac:groups=core,resources=secrets,verbs=create

Later:
  Game default/chess in 60 s

Notes:
  generated: Pod default/chess-…

0 to create, 0 to update, 0 to delete, 1 external call. 12 objects unchanged, 15 reconciles. Nothing was changed. The plan is incomplete.`,
    );
  });
});

describe("the document of a plan", () => {
  it("counts the changes, and is incomplete if something failed", () => {
    expect(plan()).toMatchObject({
      format: 1,
      complete: false,
      summary: { create: 1, update: 1, delete: 1, unchanged: 12, external: 1, reconciles: 15, durationMs: 900 },
    });
    expect(plan({ failed: [] }).complete).toBe(true);
  });

  it("sorts entries by kind, namespace and name", () => {
    const entry = (kind: string, namespace: string, name: string) => ({
      ...{ controller: "game", requeueAfter: 1, object: { kind, namespace, name } },
    });
    const later = [entry("Pod", "b", "a"), entry("Pod", "a", "b"), entry("Game", "z", "z"), entry("Pod", "a", "a")];
    const names = plan({ later }).later.map(({ object }) => Object.values(object).join("/"));
    expect(names).toEqual(["Game/z/z", "Pod/a/a", "Pod/a/b", "Pod/b/a"]);
  });
});

describe("the Markdown of a plan", () => {
  it("has a summary, and a section for each change", () => {
    const text = planMarkdown(plan());
    expect(text).toMatch(/^## Plan for `kind-dev`\n\n1 to create, 1 to update, 1 to delete/);
    expect(text).toContain("<summary><b>Update</b> <code>Deployment default/chess</code>, rolls out 2 Pods</summary>");
    expect(text).toContain("**The plan is incomplete.**");
    expect(text).toContain("~ spec.template.spec.containers[0].image: nginx:1.29 → nginx:1.30");
  });

  it("has at most 60,000 characters", () => {
    const [first] = result.changes;
    const changes = Array.from({ length: 2000 }, () => first!);
    const failed = Array.from({ length: 2000 }, () => result.failed[0]!);
    const text = planMarkdown(plan({ changes, failed }));
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/… and \d+ more changes, which don't fit\.\n$/);
    expect(text).toMatch(/\n… and \d+ more lines, which don't fit\n```\n/);
  });

  it("isn't broken by backticks and tags in values and names", () => {
    const [first] = result.changes;
    const changes = [
      { ...first!, name: "<script>`", fields: [{ path: "a", action: "add" as const, after: "```\n</details>" }] },
    ];
    const text = planMarkdown(plan({ changes, failed: [], external: [], later: [], notes: [] }));
    expect(text).toContain("````diff\n+ a: ```\\u000a</details>");
    expect(text).toContain("<code>ConfigMap default/&lt;script&gt;'</code>");
  });
});
