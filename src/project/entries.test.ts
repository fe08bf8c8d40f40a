import { describe, expect, it } from "vitest";
import { entryNamed } from "./entries.ts";
import type { Project } from "./project-file.ts";
import { targetOf } from "./target.ts";

const job = (domain: string) => ({ group: "batch", version: "v1", kind: "Job", domain, external: true, path: "jobs" });
const project = { domain: "example.com", resources: [job("a.io"), job("b.io")] } as unknown as Project;
const names = { group: "batch", version: "v1", kind: "Job" };

describe("an entry among those of the same group, version and kind", () => {
  it("is the one with the domain", () => {
    expect(entryNamed(project, names, "b.io")).toBe(project.resources[1]);
  });

  it("is the first one without a domain, and with that of none", () => {
    expect(entryNamed(project, names)).toBe(project.resources[0]);
    expect(entryNamed(project, names, "c.io")).toBe(project.resources[0]);
  });

  it("is selected by --external-api-domain", () => {
    const target = (domain: string) => targetOf(project, names, { domain, path: "jobs" }, () => "unused");
    expect(target("b.io")).toMatchObject({ qualifiedGroup: "batch.b.io" });
    expect(target("c.io")).toMatchObject({ id: "origin-differs", message: expect.stringContaining("batch.a.io") });
  });
});
