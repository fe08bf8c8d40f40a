import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildKustomization, openSources } from "../../scaffold/kustomize/build/build.ts";
import { runCli } from "../test-support/run-cli.ts";

const golden = join(import.meta.dirname, "../../../testdata/projects/website");
const deployed = "config/default/kustomization.yaml";

it("edit --enable policy lists config/policy in config/default with one prefix, and --disable removes it", async () => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-policy-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(golden, root, { recursive: true });
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const run = (...argv: string[]) => runCli(root, argv, { env: { PATH: process.env.PATH ?? "" } });
  const before = { makefile: read("Makefile"), deployed: read(deployed) };
  expect(await run("edit", "--enable", "policy")).toMatchObject({ code: 0 });
  expect(read(deployed)).toBe(before.deployed.replace("- ../manager\n", "- ../manager\n- ../policy\n"));
  expect(read("Makefile")).toContain(" crd webhook policy paths=");
  expect(await run("generate")).toMatchObject({ code: 0 });
  expect(buildNames(root)).toEqual([]);
  const types = "api/v1/website-types.ts";
  const rule = '// +kubewright:policy:name=few,rule="object.spec.replicas < 5"\n';
  writeFileSync(
    join(root, types),
    read(types).replace("// +kubebuilder:object:root=true\n", (text) => rule + text),
  );
  expect(await run("generate")).toMatchObject({ code: 0 });
  const [prefix = ""] = /(?<=^namePrefix: ).+$/m.exec(read(deployed)) ?? [];
  const name = `${prefix}few.websites.web.example.com`;
  expect(buildNames(root)).toEqual([
    ["ValidatingAdmissionPolicy", name, undefined],
    ["ValidatingAdmissionPolicyBinding", name, name],
  ]);
  expect(await run("edit", "--disable", "policy")).toMatchObject({ code: 0 });
  expect({ makefile: read("Makefile"), deployed: read(deployed) }).toEqual(before);
  expect(existsSync(join(root, "config/policy"))).toBe(false);
});

/** Builds config/default, and returns the kinds and names of the policies. */
function buildNames(root: string): unknown[] {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  return buildKustomization(openSources(read), "config/default")
    .map(
      ({ object }) => object as unknown as { kind: string; metadata: { name: string }; spec: { policyName?: string } },
    )
    .filter(({ kind }) => kind.startsWith("ValidatingAdmissionPolicy"))
    .map(({ kind, metadata, spec }) => [kind, metadata.name, spec.policyName]);
}
