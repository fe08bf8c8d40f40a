// Follows the quick start (docs/quick-start.md) with the real `scaffold dev`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Walk } from "./walk.ts";

const walk = new Walk("quick-start", "website");

beforeAll(async () => {
  await walk.scaffold("create project . --domain example.com");
  await walk.install();
});
afterAll(() => walk.end());

it("the session creates the sample, and the operator its Deployment", async () => {
  await walk.dev();
  await eventually(() => expect(walk.output).toMatch(/kubectl +export KUBECONFIG/));
  await walk.shows("dev", Walk.lines(walk.output, /^(?!.*(reconciled|debug))/));
  await walk.becomes(
    "objects",
    () => walk.ask("objects"),
    /^Website default\/website-sample ready\n.*\n.*\n.*Pod.*ready\n.*Pod.*ready\n$/,
  );
});

it("why explains the first reconcile", async () => {
  const why = await walk.ask("why", "website/website-sample", "--limit", "20");
  // The informer can also find the sample in its first list.
  const created = "because create Website default/website-sample by kubewright-dev";
  const [first = ""] = /[^\n]*\n {2}because (create|found) Website [\s\S]*/.exec(why) ?? [];
  expect(first).toContain("apply Deployment default/website-sample\n");
  // The page leaves out the fields of the new Deployment, and the status.
  const named = first.replace("because found Website default/website-sample", created);
  const lines = named.split("\n").filter((line) => !line.startsWith("    "));
  await walk.shows("why", lines.join("\n"));
});

it("the operator creates a deleted Deployment again, and why names the cause", async () => {
  expect(await walk.ask("delete", "deployment/website-sample")).toBe("deleted deployment/website-sample\n");
  const why = () => walk.ask("why", "website/website-sample", "--limit", "20");
  const repaired = await eventually(async () => {
    const [reconcile = ""] = /[^\n]*\n {2}because delete Deployment [^\n]*\n[\s\S]*?(?=\n\n|$)/.exec(await why()) ?? [];
    expect(reconcile).toContain("apply Deployment");
    return reconcile;
  });
  const lines = repaired.split("\n").filter((line) => !line.startsWith("    ") && !/patch Website/.test(line));
  await walk.shows("repaired", lines.join("\n"));
  await eventually(async () => expect(await walk.ask("objects")).toMatch(/Deployment default\/website-sample ready/));
});

it("the session updates the CRD when a marker changes", async () => {
  const path = join(walk.root, "api/v1/website-types.ts");
  const text = readFileSync(path, "utf8");
  const output = await walk.during(/configured CustomResourceDefinition.*\n/, () =>
    writeFileSync(path, text.replace("Maximum=10", "Maximum=5")),
  );
  await walk.shows("change", Walk.lines(output, /changed|generated|breaking|CustomResourceDefinition/));
});

it("the project passes its tests", async () => {
  await walk.shows("test", Walk.lines(await walk.npm("test"), /Tests /));
});
