import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { pascalCase } from "../../text/pascal-case.ts";
import { alertKeys, alertsOf } from "./alerts.ts";
import { dashboard } from "./dashboard.ts";
import { secondsOf } from "./durations.ts";
import { type Operator, selector } from "./operator.ts";
import { prometheusRule, ruleTests } from "./rules.ts";
import { isUneditedRunbook, runbook } from "./runbooks.ts";
import { newSettings, readSettings } from "./settings.ts";

const operator: Operator = {
  project: "game-operator",
  job: "game-operator-controller-manager-metrics-service",
  controllers: ["game", "score"],
  lease: "12345678.example.com",
  hasWebhooks: true,
  runbookURL: "https://example.com/runbooks",
};

describe("alerts", () => {
  it("are those of the contract, with their times and severities", () => {
    const rows = alertsOf(operator).map((alert) => [alert.name, alert.for, alert.severity]);
    expect(rows).toEqual([
      ["GameOperatorReconcileErrors", "15m", "warning"],
      ["GameOperatorReconcileStuck", "5m", "critical"],
      ["GameOperatorQueueSlow", "15m", "warning"],
      ["GameOperatorHotLoop", "30m", "warning"],
      ["GameOperatorNoLeader", "5m", "critical"],
      ["GameOperatorEventsDropped", "0m", "warning"],
      ["GameOperatorApiErrors", "15m", "warning"],
      ["GameOperatorCertificateErrors", "15m", "critical"],
      ["GameOperatorDown", "5m", "critical"],
      ["GameOperatorWebhookErrors", "10m", "critical"],
      ["GameOperatorWebhookSlow", "10m", "warning"],
    ]);
  });

  it("of webhooks exist only with webhooks", () => {
    const names = alertsOf({ ...operator, hasWebhooks: false }).map(({ key }) => key);
    expect(names).toEqual(alertKeys.filter((key) => !key.startsWith("Webhook")));
  });

  it("select the job, the controllers and the Lease, so that operators in one cluster don't alert for each other", () => {
    for (const { key, expr } of alertsOf(operator)) {
      const selectors = expr.match(/\{[^}]*\}/g) ?? [];
      expect(selectors.length, key).toBeGreaterThan(0);
      for (const text of selectors) expect(text, key).toContain(`job="${operator.job}"`);
    }
    const exprOf = (name: string) => alertsOf(operator).find(({ key }) => key === name)?.expr;
    expect(exprOf("HotLoop")).toContain('controller=~"game|score"');
    expect(exprOf("NoLeader")).toContain('name="12345678.example.com"');
  });

  it("have a summary, a description and the address of their runbook", () => {
    const { spec } = prometheusRule(operator, alertsOf(operator)) as {
      spec: { groups: { rules: { alert: string; labels: object; annotations: Record<string, string> }[] }[] };
    };
    const rules = spec.groups.flatMap((group) => group.rules);
    expect(rules).toHaveLength(alertKeys.length);
    for (const { alert, labels, annotations } of rules) {
      expect(Object.keys(labels)).toEqual(["severity"]);
      expect(Object.keys(annotations).sort()).toEqual(["description", "runbook_url", "summary"]);
      expect(annotations.runbook_url).toBe(`https://example.com/runbooks/${alert}.md`);
    }
    const without = prometheusRule({ ...operator, runbookURL: undefined }, alertsOf(operator));
    expect(JSON.stringify(without)).not.toContain("runbook_url");
  });

  it("have two tests each: one that fires, and one that doesn't", () => {
    const { tests } = ruleTests(operator, alertsOf(operator)) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const rows = tests.flatMap(({ alert_rule_test: all }) =>
      all.map((test) => [test.alertname, test.exp_alerts.length]),
    );
    expect(rows).toEqual(
      alertsOf(operator).flatMap(({ name }) => [
        [name, 1],
        [name, 0],
      ]),
    );
  });

  it("have a runbook with its sections", () => {
    for (const alert of alertsOf(operator)) {
      expect(runbook(alert).match(/^#+ .*$/gm)).toEqual([
        `# ${alert.name}`,
        "## Meaning",
        "## Impact",
        "## Diagnosis",
        "## Mitigation",
      ]);
    }
  });
});

it("runbooks show whether they were edited", () => {
  const [alert] = alertsOf(operator);
  const text = alert ? runbook(alert) : "";
  expect(isUneditedRunbook(text)).toBe(true);
  expect(isUneditedRunbook(text.replace("## Impact\n", "## Impact\n\nNobody can play.\n"))).toBe(false);
  expect(isUneditedRunbook(`${text}More.\n`)).toBe(false);
  expect(isUneditedRunbook("")).toBe(false);
});

describe("settings", () => {
  it("change the threshold, the time and the severity, or remove an alert", () => {
    const { settings, problems } = readSettings(
      {
        alerts: {
          HotLoop: { above: 50, for: "1h", severity: "info" },
          GameOperatorDown: { enabled: false },
        },
      },
      "GameOperator",
    );
    expect(problems).toEqual([]);
    const alerts = alertsOf(operator, settings.alerts);
    expect(alerts.map(({ key }) => key)).not.toContain("Down");
    expect(alerts.find(({ key }) => key === "HotLoop")).toMatchObject({
      expr: expect.stringMatching(/ > 50$/),
      for: "1h",
      severity: "info",
    });
  });

  it.each([
    [{ alerts: { Slow: {} } }, /^alerts\.Slow isn't an alert: must be one of ReconcileErrors, /],
    [{ alerts: { Down: { above: 1 } } }, "alerts.Down.above: the alert has no threshold"],
    [{ alerts: { ApiErrors: { above: 1.5 } } }, "alerts.ApiErrors.above must be a number above 0 and below 1"],
    [{ alerts: { HotLoop: { above: "9" } } }, "alerts.HotLoop.above must be a number above 0"],
    [{ alerts: { HotLoop: { for: "soon" } } }, "alerts.HotLoop.for must be a duration such as 10m"],
    [{ alerts: { HotLoop: { severity: "a\u0007" } } }, "alerts.HotLoop.severity must be a text such as warning"],
    [{ alerts: { HotLoop: { enabled: "no" } } }, "alerts.HotLoop.enabled must be true or false"],
    [{ alerts: { HotLoop: { level: 1 } } }, /^alerts\.HotLoop: unknown key level: must be one of enabled, /],
    [{ alert: {} }, "the file: unknown key alert: must be one of customMetrics, alerts"],
    [{ customMetrics: {} }, "customMetrics must be a list"],
    [{ customMetrics: [{ metric: "a b", type: "gauge" }] }, "customMetrics[0].metric must be the name of a metric"],
    [{ customMetrics: [{ metric: "a", type: "sum" }] }, "customMetrics[0].type must be counter, gauge or histogram"],
    [[], "the file must have keys and values"],
  ])("with the content %j are refused in one line", (value, problem) => {
    const { problems } = readSettings(value, "Game");
    expect(problems).toHaveLength(1);
    if (typeof problem === "string") expect(problems[0]).toBe(problem);
    else expect(problems[0]).toMatch(problem);
  });

  it("in the documentation are valid", () => {
    const page = readFileSync(new URL("../../../docs/guides/alerts.md", import.meta.url), "utf8");
    const [, block = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const { settings, problems } = readSettings(load(block), "Website");
    expect(problems).toEqual([]);
    expect([settings.alerts.size, settings.customMetrics.length]).toEqual([2, 1]);
  });

  it("of a new project change nothing", () => {
    expect(newSettings).toMatch(/^customMetrics: \[\]$/m);
    expect(newSettings).toMatch(/^alerts: \{\}$/m);
  });
});

describe("the dashboard", () => {
  const panelsOf = (all: Operator, metrics: Parameters<typeof dashboard>[1] = []) =>
    (dashboard(all, metrics) as { panels: { type: string; title: string; targets?: { expr: string }[] }[] }).panels;

  it("has the variables and rows of the contract", () => {
    const { templating } = dashboard(operator, []) as { templating: { list: { name: string }[] } };
    expect(templating.list.map(({ name }) => name).sort()).toEqual(["controller", "datasource", "job", "namespace"]);
    const titles = panelsOf(operator, [{ metric: "games_total", type: "counter" }]).filter(
      ({ type }) => type === "row",
    );
    expect(titles.map(({ title }) => title)).toEqual([
      "Reconciles",
      "Queue",
      "API requests",
      "Webhooks",
      "Leadership",
      "Process",
      "Custom metrics",
    ]);
  });

  it("has an identifier that depends only on the project's name", () => {
    const uid = (project: string) => (dashboard({ ...operator, project }, []) as { uid: string }).uid;
    expect(uid("a")).toBe((dashboard({ ...operator, project: "a", job: "other" }, []) as { uid: string }).uid);
    expect(uid("a")).not.toBe(uid("b"));
    expect(uid("a").length).toBeLessThanOrEqual(40);
  });

  it.each([
    ["counter", 'sum by (pod) (rate(m{job="$job",namespace="$namespace"}[$__rate_interval]))'],
    ["gauge", 'm{job="$job",namespace="$namespace"}'],
    [
      "histogram",
      'histogram_quantile(0.9, sum by (pod, le) (rate(m_bucket{job="$job",namespace="$namespace"}[$__rate_interval])))',
    ],
  ] as const)("shows a custom %s", (type, expr) => {
    const custom = panelsOf(operator, [{ metric: "m", type }]).at(-1);
    expect(custom).toMatchObject({ title: "m", targets: [{ expr }] });
    expect(panelsOf(operator, [{ metric: "m", type, expr: "m / 2" }]).at(-1)).toMatchObject({
      targets: [{ expr: "m / 2" }],
    });
  });
});

it.each([
  ["game-operator", "GameOperator"],
  ["website", "Website"],
  ["my.op_2", "MyOp2"],
])("pascalCase of %s", (name, expected) => {
  expect(pascalCase(name)).toBe(expected);
});

it.each([
  ["0m", 0],
  ["90s", 90],
  ["1h30m", 5400],
  ["1d", 86_400],
  ["", undefined],
  ["m", undefined],
  ["10", undefined],
  ["1.5h", undefined],
])("the duration %j has %j seconds", (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

it("selectors quote values and escape patterns", () => {
  expect(selector({ a: 'x"y', b: undefined, c: [] })).toBe('{a="x\\"y"}');
  expect(selector({ a: ["x.y", "z"] }, 'b!="c"')).toBe('{a=~"x\\\\.y|z",b!="c"}');
});
