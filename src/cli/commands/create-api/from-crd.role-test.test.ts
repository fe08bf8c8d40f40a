import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";
import { runCli } from "../../test-support/run-cli.ts";

const crd = (group: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: zones.${group}
spec:
  group: ${group}
  names: {kind: Zone, listKind: ZoneList, plural: zones, singular: zone}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [zone]
            properties:
              zone: {type: string, maxLength: 30}
            x-kubernetes-validations:
            - rule: self.zone.size() == 23 && self.zone.startsWith('eu') && self.zone.endsWith('a')
              message: must be a zone of Europe
`;
const roleTest = "test/role.test.ts";
const sample = "config/samples/one.example.org_v1_zone.yaml";

async function project() {
  const root = testDirectory();
  await initProject(root);
  const path = (name: string) => join(root, name);
  const create = (group: string) => {
    writeFileSync(path("crd.yaml"), crd(group));
    return runCli(root, ["create", "api", "--from-crd", path("crd.yaml")]);
  };
  return { root, path, create, text: (name: string) => readFileSync(path(name), "utf8") };
}

it("leaves a sample that the API server rejects out of the test of the role, until the kind is deleted", async () => {
  const { root, path, create, text } = await project();
  writeFileSync(path("crd.yaml"), crd("one.example.org"));
  const before = snapshot(root);
  expect(await create("one.example.org")).toMatchObject({ code: 0 });
  expect(text(roleTest)).toContain(`const rejectedSamples = [\n  "${sample}"\n];`);
  expect(text(roleTest)).toContain("{ except: rejectedSamples }");
  expect(text(roleTest)).toContain(`creates ${sample}, which the API server rejects: .spec: must be a zone of Europe`);
  const names = ["--group", "one.example.org", "--version", "v1", "--kind", "Zone"];
  expect(await runCli(root, ["delete", "api", ...names])).toMatchObject({ code: 0 });
  writeFileSync(path("crd.yaml"), crd("one.example.org"));
  expect(snapshot(root)).toEqual(before);
});

it("notes the sample if the test has another form, and nothing about a removed test", async () => {
  const other = await project();
  writeFileSync(other.path(roleTest), "// My own test.\n");
  const end = await other.create("one.example.org");
  expect(end.stderr).toContain(`${sample} may fail in ${roleTest}: correct it, or leave it out there`);
  expect(other.text(roleTest)).toBe("// My own test.\n");
  const none = await project();
  rmSync(none.path(roleTest));
  const { code, stderr } = await none.create("one.example.org");
  expect(code).toBe(0);
  expect(stderr).not.toContain(roleTest);
});
