// Follows the tutorial of the CronJob operator (docs/tutorials/cronjob.md) with the real `scaffold dev`.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Walk } from "./walk.ts";

const walk = new Walk("cronjob", "cronjob");
const kind = "--group batch --kind CronJob";
const name = "cronjobs.v1.batch.tutorial.kubebuilder.io";
const schedule = (version: string) =>
  walk.kubectl(
    "get",
    `cronjobs.${version}.batch.tutorial.kubebuilder.io`,
    "cronjob-sample",
    "--output",
    "jsonpath={.spec.schedule}",
  );

beforeAll(async () => {
  await walk.scaffold(
    "init --domain tutorial.kubebuilder.io --repo tutorial.kubebuilder.io/project",
    `create api ${kind} --version v1 --resource --controller --kstatus=false`,
  );
  await walk.install("croner");
});
afterAll(() => walk.end());

it("the session starts with the types and the sample", async () => {
  for (const part of ["api", "config"]) walk.take(`examples/cronjob/${part}`, part);
  await walk.dev();
  await walk.showsStart("CronJob default/cronjob-sample");
});

it("the operator starts a Job within a minute", async () => {
  for (const part of ["src/schedule", "src/controller"]) walk.take(`examples/cronjob/${part}`, part);
  await walk.becomes("condition", condition("Available"), /runs are started/);
  await walk.becomes("progressing", condition("Progressing"), /active Jobs: 1/);
  expect(await walk.kubectl("get", "jobs", "--output=name")).toMatch(/^job.batch\/cronjob-sample-\d{10}\n/);
});

it("the project passes its tests and its simulation", () => walk.showsTests());

it("the webhook rejects an invalid schedule", async () => {
  // Before the session has installed the webhook, the API server accepts the schedule.
  await walk.during("created ValidatingWebhookConfiguration", async () => {
    await walk.scaffold(`create webhook ${kind} --version v1 --defaulting --programmatic-validation`);
    walk.take("examples/cronjob/src/webhook", "src/webhook");
  });
  const patch = JSON.stringify({ spec: { schedule: "61 * * * *" } });
  await walk.becomes(
    "denied",
    () => walk.failing("patch", name, "cronjob-sample", "--type=merge", "--patch", patch),
    /spec.schedule/,
  );
});

it("the API serves a second version of the same object", async () => {
  await walk.scaffold(
    `create api ${kind} --version v2 --resource --controller=false`,
    `create webhook ${kind} --version v1 --conversion --spoke v2`,
    `create webhook ${kind} --version v2 --defaulting --programmatic-validation`,
  );
  walk.take("examples/cronjob-v2");
  await walk.becomes("v2", () => schedule("v2"), /minute/);
  await walk.kubectl(
    "patch",
    "cronjobs.v2.batch.tutorial.kubebuilder.io",
    "cronjob-sample",
    "--type=merge",
    "--patch",
    JSON.stringify({ spec: { schedule: { hour: "4" } } }),
  );
  await walk.becomes("v1", () => schedule("v1"), /4/);
});

function condition(type: string): () => Promise<string> {
  const path = `jsonpath={.status.conditions[?(@.type=="${type}")].message}`;
  return () => walk.kubectl("get", name, "cronjob-sample", "--output", path);
}
