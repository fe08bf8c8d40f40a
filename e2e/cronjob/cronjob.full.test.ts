// Follows kubebuilder's book: the CronJob tutorial, then the tutorial on several versions of an API.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { definition } from "../lib/definitions.ts";
import { eventually } from "../lib/eventually.ts";
import { endPodsOf } from "../lib/kubelet.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";
import { group } from "./facts.ts";
import { hourlySchedule, minutesAfter, OperatorClock } from "./operator-clock.ts";
import { expectBooksSchema, schemasOf } from "./schemas.ts";

const bench = new Workbench("project");
const clock = new OperatorClock();
const variables: Record<string, string> = { CLOCK_SHIFT_FILE: clock.file };
const v1 = `cronjobs.v1.${group}`;
const v2 = `cronjobs.v2.${group}`;
const flags = (version: string) => ["--group", "batch", "--version", version, "--kind", "CronJob"];
const admission = ["--defaulting", "--programmatic-validation"];

const pod = { containers: [{ name: "hello", image: "busybox" }], restartPolicy: "Never" };
const jobTemplate = { spec: { backoffLimit: 0, template: { spec: pod } } };
const manifest = (version: string, name: string, spec: object) =>
  JSON.stringify({
    apiVersion: `${group}/${version}`,
    kind: "CronJob",
    metadata: { name },
    spec: { jobTemplate, ...spec },
  });

const nameOfJob = (name: string, run: Date) => `${name}-${run.getTime() / 1000}`;
const patch = (name: string, body: object) =>
  bench.kubectl.run("patch", v1, name, "--type=merge", "-p", JSON.stringify(body));
/** Returns the names of the Jobs of a CronJob. */
const jobs = async (name: string): Promise<string[]> => {
  const listed = await bench.kubectl.run("get", "jobs", "-o", "name");
  return listed.split("\n").flatMap((line) => line.match(`^job.batch/(${name}-\\d+)$`)?.[1] ?? []);
};
const becomes = (name: string, ...runs: Date[]) =>
  eventually(async () => expect(await jobs(name)).toEqual(runs.map((run) => nameOfJob(name, run))));
const condition = async (name: string, type: string) => {
  const { status } = await bench.kubectl.get(v1, name);
  const condition = status?.conditions?.find((each: { type: string }) => each.type === type);
  return `${condition?.status} ${condition?.reason}`;
};

let moves = 0;
/** Sets the operator's clock and triggers a reconcile of a CronJob, because its timers use the real time. */
async function moveTo(time: Date, name: string): Promise<void> {
  clock.set(time);
  await patch(name, { metadata: { annotations: { moved: String(++moves) } } });
}

/** Creates a CronJob with an hourly schedule, and waits for its first Job. Returns the time of this run. */
async function running(name: string, spec: object = {}): Promise<Date> {
  const { text, first } = hourlySchedule();
  clock.set(first);
  await bench.kubectl.apply(manifest("v1", name, { schedule: text, ...spec }));
  await becomes(name, first);
  return first;
}

async function end(job: string, phase: "Succeeded" | "Failed" = "Succeeded"): Promise<void> {
  await endPodsOf(bench.kubectl, job, phase);
  const type = phase === "Succeeded" ? "Complete" : "Failed";
  await bench.kubectl.run("wait", "job", job, `--for=condition=${type}`, "--timeout=60s");
}

/** Returns the generated CRD. */
const crd = () => bench.read(`config/crd/bases/${group}_cronjobs.yaml`);

/** Runs `make build` with a clock that the test controls. */
async function buildWithClock(): Promise<void> {
  const main = bench.read("src/main.ts");
  const source = fileURLToPath(new URL("shifted-clock.ts", import.meta.url));
  copyFileSync(source, join(bench.project, "src/shifted-clock.ts"));
  bench.edit("src/main.ts", "new CronJobReconciler(mgr.client)", "new CronJobReconciler(mgr.client, shiftedClock)");
  bench.edit("src/main.ts", "// +kubebuilder:scaffold:imports", 'import { shiftedClock } from "./shifted-clock.ts";');
  await bench.make("build");
  bench.write("src/main.ts", main);
}

beforeAll(() => bench.open());
afterAll(async () => {
  await bench.close();
  clock.remove();
});
printTable("kubebuilder's book, CronJob");

describe("the CronJob tutorial", { sequential: true }, () => {
  // Otherwise the CronJobs would also run at the times of later tests.
  afterEach(async () => {
    const crds = await bench.kubectl.run("get", "crd", "-o", "name");
    if (crds.includes(group)) await bench.kubectl.run("delete", v1, "--all");
  });

  it("scaffolds the project, and installs a library for cron", async () => {
    const license = ["--license", "apache2", "--owner", "The Kubernetes authors"];
    await bench.init("--domain", "tutorial.kubebuilder.io", "--repo", "tutorial.kubebuilder.io/project", ...license);
    await bench.scaffold("create", "api", ...flags("v1"), "--resource", "--controller", "--kstatus=false");
    await bench.install("croner");
    expect(JSON.parse(bench.read("package.json")).dependencies.croner).toMatch(/^\d/);
  });

  it("generates the CRD of the book from the types", async () => {
    bench.copyExample("cronjob", "api", "config", "src/controller", "src/schedule");
    await bench.make("manifests");
    expectBooksSchema(crd(), "v1");
    expect(schemasOf(crd(), "v1").version).toMatchObject({ served: true, storage: true, subresources: { status: {} } });
  });

  it("has code that passes typecheck, lint and test, and roles for Jobs", async () => {
    await bench.checkCode();
    const rules = parse(bench.read("config/rbac/role.yaml")).rules;
    const verbs = ["create", "delete", "get", "list", "watch"];
    expect(rules).toContainEqual({ apiGroups: ["batch"], resources: ["jobs"], verbs });
  });

  it("deploys the operator, which runs with the permissions of its ServiceAccount", async () => {
    await bench.make("install");
    await bench.make("deploy", { IMG: "example.com/cronjob:v1" });
    variables.KUBECONFIG = await bench.kubeconfigOf("project-system", "project-controller-manager");
    await buildWithClock();
    await bench.startOperator({ variables });
  });

  it("shows the book's pitfall: the CRD drops metadata of the template, and kubectl reports it", async () => {
    const withLabels = { ...jobTemplate, metadata: { labels: { app: "hello" } } };
    const spec = { schedule: "0 0 1 1 *", jobTemplate: withLabels };
    const { stderr } = await bench.kubectl.attemptApply(manifest("v1", "labels", spec));
    expect(stderr).toContain('unknown field "spec.jobTemplate.metadata.labels"');
    const { stdout } = await bench.scaffold(
      "generate",
      "crd:generateEmbeddedObjectMeta=true",
      "paths=./api/...",
      "output:stdout",
    );
    const [version] = definition(stdout).spec.versions;
    const { properties } = version.schema.openAPIV3Schema.properties.spec.properties.jobTemplate.properties.metadata;
    expect(Object.keys(properties)).toEqual(["annotations", "finalizers", "labels", "name", "namespace"]);
  });

  it("starts a Job at its time from the template, and sets status.active and lastScheduleTime", async () => {
    const { text, first } = hourlySchedule();
    clock.set(new Date(first.getTime() - 3000));
    await bench.kubectl.apply(manifest("v1", "hello", { schedule: text }));
    await eventually(async () => expect(await condition("hello", "Available")).toBe("True Scheduled"));
    await becomes("hello", first);
    const time = first.toISOString().replace(".000Z", "Z");
    const job = await bench.kubectl.get("job", nameOfJob("hello", first));
    expect(job.metadata).toMatchObject({
      annotations: { [`${group}/scheduled-at`]: time },
      ownerReferences: [{ apiVersion: `${group}/v1`, kind: "CronJob", name: "hello", controller: true }],
    });
    expect(job.spec.template.spec.containers).toMatchObject(pod.containers);
    await eventually(async () => {
      const { status } = await bench.kubectl.get(v1, "hello");
      expect(status).toMatchObject({
        lastScheduleTime: time,
        active: [{ apiVersion: "batch/v1", kind: "Job", name: job.metadata.name, uid: job.metadata.uid }],
      });
    });
    expect(await condition("hello", "Progressing")).toBe("True JobsActive");
    await end(job.metadata.name);
    await eventually(async () => {
      expect((await bench.kubectl.get(v1, "hello")).status).not.toHaveProperty("active");
      expect(await condition("hello", "Progressing")).toBe("False NoJobsActive");
    });
  });

  it("runs Jobs concurrently with the default concurrencyPolicy Allow", async () => {
    const first = await running("allow");
    const second = minutesAfter(first, 60);
    await moveTo(second, "allow");
    await becomes("allow", first, second);
    await eventually(async () => expect((await bench.kubectl.get(v1, "allow")).status.active).toHaveLength(2));
  });

  it("starts a run after the end of the previous one with Forbid", async () => {
    const first = await running("forbid", { concurrencyPolicy: "Forbid" });
    const second = minutesAfter(first, 60);
    await moveTo(second, "forbid");
    await bench.logged("the run waits for active Jobs");
    await becomes("forbid", first);
    await end(nameOfJob("forbid", first));
    await becomes("forbid", first, second);
  });

  it("replaces the previous run and its Pods with Replace", async () => {
    const first = await running("replace", { concurrencyPolicy: "Replace" });
    const second = minutesAfter(first, 60);
    await moveTo(second, "replace");
    await becomes("replace", second);
    await eventually(async () => {
      const pods = await bench.kubectl.run(
        "get",
        "pods",
        "-l",
        `job-name=${nameOfJob("replace", first)}`,
        "-o",
        "name",
      );
      expect(pods).toBe("");
    });
  });

  it("starts only the latest of the runs that were missed while the operator was down", async () => {
    const first = await running("missed");
    await end(nameOfJob("missed", first));
    expect(await bench.stopOperator()).toBe(0);
    clock.set(minutesAfter(first, 5 * 60 + 20));
    await bench.startOperator({ variables });
    await becomes("missed", first, minutesAfter(first, 5 * 60));
  });

  it("skips and reports runs that are later than startingDeadlineSeconds", async () => {
    const first = await running("late", { startingDeadlineSeconds: 600 });
    await moveTo(minutesAfter(first, 60 + 20), "late");
    await eventually(async () => expect(await condition("late", "Degraded")).toBe("True MissedSchedule"));
    await moveTo(minutesAfter(first, 2 * 60 + 5), "late");
    await becomes("late", first, minutesAfter(first, 2 * 60));
    await eventually(async () => expect(await condition("late", "Degraded")).toBe("False AsExpected"));
  });

  it("keeps only as many succeeded and failed Jobs as the history limits allow", async () => {
    const runs = [await running("history", { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 })];
    const outcomes = ["Succeeded", "Failed", "Succeeded", "Failed"] as const;
    for (const [index, outcome] of outcomes.entries()) {
      const run = minutesAfter(runs[0]!, index * 60);
      if (index > 0) await moveTo(run, "history");
      await eventually(async () => expect(await jobs("history")).toContain(nameOfJob("history", run)));
      await end(nameOfJob("history", run), outcome);
      runs[index] = run;
    }
    await becomes("history", runs[2]!, runs[3]!);
    await eventually(async () => expect(await condition("history", "Degraded")).toBe("True JobsFailed"));
  });

  it("starts no runs while the CronJob is suspended, and continues afterwards", async () => {
    const first = await running("suspend");
    await patch("suspend", { spec: { suspend: true } });
    await eventually(async () => expect(await condition("suspend", "Available")).toBe("False Suspended"));
    await moveTo(minutesAfter(first, 60), "suspend");
    await becomes("suspend", first);
    await patch("suspend", { spec: { suspend: false } });
    await becomes("suspend", first, minutesAfter(first, 60));
  });

  it("leaves the Jobs and Pods of a deleted CronJob to the garbage collector", async () => {
    await running("gone");
    await bench.kubectl.run("delete", v1, "gone");
    await eventually(async () => {
      expect(await bench.kubectl.run("get", "jobs,pods", "-o", "name")).toBe("");
    });
    expect(bench.operator.output).not.toMatch(/forbidden/);
    expect(await bench.stopOperator()).toBe(0);
  });

  it("scaffolds webhooks, whose manifests and code pass all checks", async () => {
    await bench.scaffold("create", "webhook", ...flags("v1"), ...admission);
    bench.copyExample("cronjob", "src/webhook");
    await bench.make("manifests");
    await bench.checkCode();
    await buildWithClock();
    await bench.serveWebhooksHere();
    await bench.startOperator({ variables });
  });

  it("sets defaults for an absent policy, suspend and limits", async () => {
    await eventually(() => bench.kubectl.apply(manifest("v1", "defaults", { schedule: "0 0 1 1 *" })));
    expect((await bench.kubectl.get(v1, "defaults")).spec).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
  });

  it("rejects an invalid schedule and a long name with the path of the field", async () => {
    const bad = await bench.kubectl.attemptApply(manifest("v1", "bad", { schedule: "61 * * * *" }));
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('The CronJob "bad" is invalid: spec.schedule: Invalid value: "61 * * * *"');
    const long = await bench.kubectl.attemptApply(manifest("v1", "n".repeat(53), { schedule: "0 0 1 1 *" }));
    expect(long.stderr).toContain("metadata.name: Invalid value");
    await bench.kubectl.apply(manifest("v1", "changed", { schedule: "0 0 1 1 *" }));
    const changed = await bench.kubectl.attemptApply(manifest("v1", "changed", { schedule: "hourly" }));
    expect(changed.stderr).toContain("spec.schedule: Invalid value");
  });
});

describe("the tutorial on several versions", { sequential: true }, () => {
  it("begins with a stored object of v1", async () => {
    await bench.kubectl.apply(manifest("v1", "old", { schedule: "30 4 * * MON-FRI" }));
    await bench.stopOperator();
  });

  it("scaffolds v2 and the conversion, with v1 as storage version", async () => {
    await bench.scaffold("create", "api", ...flags("v2"), "--resource", "--controller=false");
    await bench.scaffold("create", "webhook", ...flags("v1"), "--conversion", "--spoke", "v2");
    await bench.scaffold("create", "webhook", ...flags("v2"), ...admission);
    expect(bench.read("api/v1/cronjob-types.ts")).toContain("// +kubebuilder:storageversion");
    expect(bench.read("src/webhook/v1/cronjob-webhook.ts")).toContain(".withConverter(converter)");
    // The scaffolded tests run the webhooks of v2 with an API server. Those of v1 must not disturb them.
    await bench.run(["npm", "test"]);
  });

  it("generates one CRD with both versions of the book, to which kustomize adds the conversion", async () => {
    bench.copyExample("cronjob-v2");
    await bench.make("manifests");
    for (const version of ["v1", "v2"]) expectBooksSchema(crd(), version);
    const { versions } = schemasOf(crd(), "v1").spec;
    expect(versions).toMatchObject([
      { name: "v1", served: true, storage: true, subresources: { status: {} } },
      { name: "v2", served: true, storage: false, subresources: { status: {} } },
    ]);
    const rendered = parse(await bench.kubectl.run("kustomize", "config/crd"));
    expect(rendered.spec.conversion).toMatchObject({
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"] },
    });
  });

  it("has code that passes all checks, and an operator that serves all webhooks", async () => {
    await bench.checkCode();
    await buildWithClock();
    await bench.serveWebhooksHere({ convert: true });
    await bench.startOperator({ variables });
  });

  it("returns objects in both versions, including the object that was stored before", async () => {
    await eventually(() => bench.kubectl.apply(manifest("v2", "new", { schedule: { minute: "*/1" }, suspend: true })));
    const schedules = async (resource: string) =>
      Promise.all(["old", "new"].map(async (name) => (await bench.kubectl.get(resource, name)).spec.schedule));
    expect(await schedules(v1)).toEqual(["30 4 * * MON-FRI", "*/1 * * * *"]);
    expect(await schedules(v2)).toEqual([{ minute: "30", hour: "4", dayOfWeek: "MON-FRI" }, { minute: "*/1" }]);
  });

  it("keeps the rest of an object that is changed in v2", async () => {
    const before = await bench.kubectl.get(v1, "old");
    const hour = JSON.stringify({ spec: { schedule: { hour: "5" } } });
    await bench.kubectl.run("patch", v2, "old", "--type=merge", "-p", hour);
    const { metadata, spec } = await bench.kubectl.get(v1, "old");
    expect(spec).toEqual({ ...before.spec, schedule: "30 5 * * MON-FRI" });
    expect(metadata.uid).toBe(before.metadata.uid);
  });

  it("sets the same defaults in v2, and rejects an invalid schedule with the path of the field", async () => {
    expect((await bench.kubectl.get(v2, "new")).spec).toMatchObject({
      concurrencyPolicy: "Allow",
      failedJobsHistoryLimit: 1,
    });
    const { code, stderr } = await bench.kubectl.attemptApply(manifest("v2", "bad", { schedule: { minute: "61" } }));
    expect(code).toBe(1);
    // The API server calls the webhooks of both versions at the same time, and returns the error of the first response.
    expect(stderr).toMatch(/The CronJob "bad" is invalid: spec\.schedule(\.minute)?: Invalid value: "61/);
  });

  it("creates Jobs for an object of v2 with the controller, which uses v1", async () => {
    const { first } = hourlySchedule();
    clock.set(first);
    await bench.kubectl.apply(manifest("v2", "both", { schedule: { minute: String(first.getUTCMinutes()) } }));
    await becomes("both", first);
    await eventually(async () => {
      const { status } = await bench.kubectl.get(v2, "both");
      expect(status.active).toMatchObject([{ name: nameOfJob("both", first) }]);
    });
    expect(bench.operator.output).not.toMatch(/forbidden/);
    await bench.kubectl.run("delete", v2, "--all");
    expect(await bench.stopOperator()).toBe(0);
  });
});
