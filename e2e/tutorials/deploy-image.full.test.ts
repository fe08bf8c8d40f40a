// Follows the tutorial of an operator that runs an image (docs/tutorials/deploy-image.md) with the real `scaffold dev`.
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Walk } from "./walk.ts";

const walk = new Walk("deploy-image", "memcached");
const message = () =>
  walk.kubectl("get", "memcached", "memcached-sample", "--output", "jsonpath={.status.conditions[0].message}");

beforeAll(async () => {
  await walk.scaffold(
    "init --domain testproject.org",
    "create api --group example.com --version v1alpha1 --kind Memcached --kstatus=false",
  );
  await walk.install();
});
afterAll(() => walk.end());

it("the session starts with the types and the sample", async () => {
  for (const part of ["api", "config"]) walk.take(`examples/deploy-image/${part}`, part);
  await walk.dev();
  await walk.showsStart("Memcached default/memcached-sample");
});

it("the operator reports the missing image", async () => {
  walk.take("examples/deploy-image/src", "src");
  await walk.becomes("no-image", message, /MEMCACHED_IMAGE/);
  await walk.stopDev();
});

it("the object becomes available with the image", async () => {
  await walk.dev({ MEMCACHED_IMAGE: "memcached:1.6.26-alpine3.19" });
  const wait = () => walk.kubectl("wait", "memcached/memcached-sample", "--for=condition=Available", "--timeout=60s");
  await walk.shows("wait", await wait());
  await walk.becomes("objects", () => walk.ask("objects"), /Pod \S+ ready/);
});

it("the operator reverts a change of the Deployment", async () => {
  const output = await walk.during(/update Deployment.*labels.* 1 write.*\n/, () =>
    walk.kubectl("label", "deployment", "memcached-sample", "app.kubernetes.io/name=other", "--overwrite"),
  );
  // The update causes another reconcile, which the output may already contain.
  await walk.shows("reverted", Walk.lines(output, /labels.* 1 write/));
});

it("the operator runs the finalizer", async () => {
  const output = await walk.during("finalized", () => walk.kubectl("delete", "memcached", "memcached-sample"));
  await walk.shows("finalized", Walk.lines(output, /finalized/));
  await eventually(async () => expect(await walk.kubectl("get", "deployments", "--output=name")).toBe(""));
});

it("the project passes its tests and its simulation", () => walk.showsTests());
