import { expect, it } from "vitest";
import { controllerProblem } from "./controllers.ts";
import { modelOf, readProject } from "./project-file.ts";

it("suggests a controller name that the kind doesn't use yet", () => {
  const project = readProject(`domain: example.com
layout:
- ts.kubewright.io/v1
projectName: shop
repo: shop
resources:
- api:
    crdVersion: v1
    namespaced: true
  controllers:
  - name: order-backup
  domain: example.com
  group: shop
  kind: Order
  path: shop/api/v1
  version: v1
version: "3"
`);
  if ("message" in project) throw new Error(project.message);
  const order = modelOf(project.resources[0]!);
  const problem = controllerProblem(project, order, "order", { named: false, force: false });
  expect(problem?.message).toBe(
    "Order has named controllers (order-backup): name the new one with --controller-name, such as order-2",
  );
});
