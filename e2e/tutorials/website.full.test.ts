// Follows the tutorial of the Website operator (docs/tutorials/website.md) with the real `scaffold dev`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { attemptScaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Walk } from "./walk.ts";

const walk = new Walk("website", "website");
const controller = "src/controller/website-controller.ts";

beforeAll(async () => {
  await walk.scaffold("create project . --domain example.com");
  await walk.install();
  await walk.dev();
  await eventually(() => expect(walk.output).toMatch(/KUBECONFIG/));
});
afterAll(() => walk.end());

it("the session adds the new fields to the CRD", async () => {
  const output = await walk.during(/configured CustomResourceDefinition.*\n/, () =>
    walk.take("examples/website/api", "api"),
  );
  await walk.shows("types", Walk.lines(output, /changed|generated|CustomResourceDefinition/));
});

it("the operator creates the Service, and reports the address", async () => {
  await walk.during(/reconciled Website.* [1-9] writes?, .*\n/, () =>
    walk.take(`examples/website/${controller}`, controller),
  );
  await walk.becomes(
    "objects",
    () => walk.ask("objects"),
    /Deployment \S+ ready\n( {4,6}(ReplicaSet|Pod) \S+ ready\n){4} {2}Service \S+ ready\n$/,
  );
  await walk.becomes("get", () => walk.kubectl("get", "websites"), /website-sample\.default\.svc/);
});

it("a simulation finds what is missing without owns(Service)", async () => {
  const path = join(walk.root, controller);
  const text = readFileSync(path, "utf8");
  walk.take("examples/website/src/controller", "src/controller");
  writeFileSync(path, text.replace(".owns(Service)", ""));
  const { code, stdout } = await attemptScaffold(walk.root, "simulate", "--seeds", "20");
  expect(code).toBe(1);
  await walk.shows("forgotten", Walk.lines(stdout, /^(src|findings)|^ {2}(?!step)\w/));
  writeFileSync(path, text);
});

it("the project passes its tests and its simulation", async () => {
  await walk.showsTests();
});

it("the webhook rejects an image without a version", async () => {
  const call = "create webhook --group web --version v1 --kind Website --programmatic-validation";
  await walk.shows("create-webhook", Walk.lines(await walk.scaffold(call), /webhook\.ts|main\.ts|^Created/));
  walk.take("examples/website/src/webhook", "src/webhook");
  const patch = (image: string) =>
    ["patch", "website", "website-sample", "--type=merge", "--patch", JSON.stringify({ spec: { image } })] as const;
  await walk.becomes("denied", () => walk.failing(...patch("nginx")), /denied the request/);
  expect(await walk.kubectl(...patch("nginx:1.30"))).toBe("website.web.example.com/website-sample patched\n");
});

it("the role of the operator allows what its code does, and not more", async () => {
  const call = "generate rbac:roleName=manager-role,verify=true paths=./... output:none";
  expect(await walk.scaffold(call)).toBe("");
});
