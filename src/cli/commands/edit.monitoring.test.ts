import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../test-support/run-cli.ts";

const golden = join(import.meta.dirname, "../../../testdata/projects/webhooks");

function project() {
  const root = mkdtempSync(join(tmpdir(), "kubewright-monitoring-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(golden, root, { recursive: true });
  return {
    root,
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    write: (path: string, text: string) => writeFileSync(join(root, path), text),
    run: (...argv: string[]) => runCli(root, argv, { env: { PATH: process.env.PATH ?? "" } }),
  };
}

const outputs = [
  "dashboard.json",
  "kustomization.yaml",
  "monitoring.yaml",
  "prometheus-rule.yaml",
  "rules.yaml",
  "rules_test.yaml",
];

it("edit --enable monitoring adds alerts, a dashboard and runbooks, and --disable removes them", async () => {
  const { root, read, run } = project();
  const makefile = read("Makefile");
  expect(await run("edit", "--enable", "monitoring")).toMatchObject({ code: 0 });
  expect(read("Makefile")).toContain(" crd webhook monitoring paths=./...");
  expect(await run("generate")).toMatchObject({ code: 0 });
  expect(readdirSync(join(root, "config/monitoring")).sort()).toEqual(outputs);
  expect(readdirSync(join(root, "docs/runbooks"))).toHaveLength(11);
  expect(await run("generate", "--check")).toMatchObject({ code: 0, stdout: "" });
  expect(await run("edit", "--disable", "monitoring")).toMatchObject({ code: 0 });
  expect(read("Makefile")).toBe(makefile);
  expect([existsSync(join(root, "config/monitoring")), existsSync(join(root, "docs/runbooks"))]).toEqual([
    false,
    false,
  ]);
});

it("the rules select the controllers, the Lease and the Service of the project", async () => {
  const { read, run } = project();
  expect(await run("generate", "monitoring", "paths=./...")).toMatchObject({ code: 0 });
  const { spec } = load(read("config/monitoring/prometheus-rule.yaml")) as {
    spec: { groups: { rules: { alert: string; expr: string }[] }[] };
  };
  const exprOf = (name: string) => spec.groups[0]?.rules.find(({ alert }) => alert.endsWith(name))?.expr;
  const [, lease] = /leaderElectionID: "(.+)"/.exec(read("src/main.ts")) ?? [];
  const [, prefix] = /^namePrefix: (.+)$/m.exec(read("config/default/kustomization.yaml")) ?? [];
  expect(exprOf("NoLeader")).toBe(
    `max by (namespace, name) (leader_election_master_status{job="${prefix}controller-manager-metrics-service",name="${lease}"}) == 0`,
  );
  expect(exprOf("HotLoop")).toMatch(/controller=~?"/);
});

it("settings and runbooks are the user's: they stay as they are, also when the generator is disabled", async () => {
  const { root, read, write, run } = project();
  await run("edit", "--enable", "monitoring");
  await run("generate");
  const [book = ""] = readdirSync(join(root, "docs/runbooks"));
  appendFileSync(join(root, "docs/runbooks", book), "\nCall the team.\n");
  write("config/monitoring/monitoring.yaml", "alerts:\n  Down: { enabled: false }\n");
  expect(await run("generate")).toMatchObject({ code: 0 });
  expect(read(`docs/runbooks/${book}`)).toContain("Call the team.");
  expect(read("config/monitoring/rules.yaml")).not.toMatch(/alert: \w+Down$/m);
  const disabled = await run("edit", "--disable", "monitoring", "--json");
  expect(JSON.parse(disabled.stdout).notes).toEqual([
    "config/monitoring/monitoring.yaml has your changes, so it stays",
    `docs/runbooks/${book} has your changes, so it stays`,
  ]);
  expect(readdirSync(join(root, "config/monitoring"))).toEqual(["monitoring.yaml"]);
  expect(readdirSync(join(root, "docs/runbooks"))).toEqual([book]);
});

it.each([
  ["alerts: { Slow: {} }\n", "alerts.Slow isn't an alert"],
  ["alerts: [\n", "monitoring.yaml"],
])("wrong settings are one error, and nothing is written: %j", async (text, message) => {
  const { root, write, run } = project();
  await run("generate", "monitoring", "paths=./...");
  rmSync(join(root, "config/monitoring/rules.yaml"));
  write("config/monitoring/monitoring.yaml", text);
  const end = await run("generate", "monitoring", "paths=./...");
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(end.stderr).toContain("bad-monitoring-settings");
  expect(existsSync(join(root, "config/monitoring/rules.yaml"))).toBe(false);
});

it("other directories, and the address of the runbooks", async () => {
  const { root, read, run } = project();
  const options = ["monitoring:runbookURL=https://example.com/x/,runbooks=runbooks", "output:monitoring:dir=alerts"];
  expect(await run("generate", ...options, "paths=./...")).toMatchObject({ code: 0 });
  expect(readdirSync(join(root, "alerts")).sort()).toEqual(outputs);
  const [book = ""] = readdirSync(join(root, "runbooks"));
  expect(read("alerts/rules.yaml")).toContain(`runbook_url: https://example.com/x/${book}\n`);
});
