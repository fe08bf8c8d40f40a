import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { binding, checkout, findingsOf } from "./test-support/findings.ts";

test("missing permissions for sharding are reported unless the role in config/sharding is deployed", async () => {
  const code = "void Manager.create({} as never, { sharding: true });\n";
  const role = readFileSync(join(checkout, "templates/init/config/sharding/role.yaml.hbs"), "utf8");
  const files = (resources: string) => ({
    "config/rbac/bindings.yaml": binding("manager-role", "controller-manager"),
    "config/default/kustomization.yaml": `resources: [${resources}]\n`,
    "config/sharding/role.yaml": role.replaceAll("{{projectName}}", "x"),
    "config/sharding/role_binding.yaml": binding("sharding-role", "controller-manager"),
  });
  expect(await findingsOf(code, files("../rbac, ../sharding"))).toEqual([]);
  const found = await findingsOf(code, files("../rbac"));
  expect(found).toMatchObject([
    {
      id: "rbac-missing",
      hint: "add `// +kubebuilder:rbac:groups=coordination.k8s.io,resources=leases,verbs=get;list;watch;create;update;delete`",
    },
  ]);
});
