// The generated rules and their tests in Prometheus's own tool. Needs Go.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { installPromtool, runPromtool } from "./promtool.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-promtool-"));

beforeAll(() => installPromtool(scratch));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Thresholds and times that differ from the defaults. */
const changed = `alerts:
  ReconcileErrors: { above: 0.5 }
  ReconcileStuck: { above: 60, for: 1h }
  QueueSlow: { above: 300 }
  HotLoop: { above: 0.5, for: 90s }
  EventsDropped: { for: 5m }
  ApiErrors: { above: 0.01 }
  WebhookErrors: { above: 0.9, severity: info }
  WebhookSlow: { above: 0.05 }
`;

describe.each(["website", "webhooks", "multigroup"])("the rules of %s", (golden) => {
  it.each([
    ["with the default settings", undefined],
    ["with other settings", changed],
  ])("are valid and pass their tests %s", async (name, settings) => {
    const project = join(scratch, golden, name.replaceAll(" ", "-"));
    cpSync(join(checkout, "testdata/projects", golden), project, { recursive: true });
    const monitoring = join(project, "config/monitoring");
    mkdirSync(monitoring, { recursive: true });
    if (settings !== undefined) writeFileSync(join(monitoring, "monitoring.yaml"), settings);
    await scaffold(project, "generate", "monitoring", "paths=./...");
    for (const args of [
      ["check", "rules", "rules.yaml"],
      ["test", "rules", "rules_test.yaml"],
    ]) {
      const { code, stdout, stderr } = await runPromtool(scratch, args, monitoring);
      expect(code, `${stdout}${stderr}`).toBe(0);
      expect(`${stdout}${stderr}`).toContain("SUCCESS");
    }
  });
});
