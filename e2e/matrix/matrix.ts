// Scaffolds combinations of flags, and runs the generator, kustomize, the API server and the compiler on each.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { Kubectl, kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { attemptScaffold, checkout, manifestsOptions } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { type Combination, initialised } from "./combinations.ts";

const testdata = fileURLToPath(new URL("testdata", import.meta.url));

/**
 * Defines the tests of some combinations. They share one API server and one compiler run. Their names and domains are
 * unique, so that they don't conflict.
 */
export function testCombinations(combinations: readonly Combination[]): void {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-matrix-"));
  const environment = new TestEnvironment();
  let kubectl: Kubectl;

  beforeAll(async () => {
    await environment.start();
    kubectl = new Kubectl(environment.kubeconfigPath);
    await kubectl.run("apply", "--server-side", "-f", join(testdata, "foreign-kinds.yaml"));
    await kubectl.run("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s");
    cpSync(join(testdata, "definition.yaml"), join(parent, "definition.yaml"));
    installPackages(parent);
  });
  afterAll(async () => {
    await environment.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  describe.each(combinations.map((combination, index) => [combination.name, combination, `p${index}`] as const))(
    "%s",
    (_, combination, id) => {
      const root = join(parent, id);

      it("scaffolds and generates", async () => {
        mkdirSync(root);
        for (const [index, call] of combination.calls.entries()) {
          const argv = index === 0 ? initialised(call, id) : call.split(" ");
          expect(await attemptScaffold(root, ...argv), call).toMatchObject({ code: 0 });
        }
        const { code, stderr } = await attemptScaffold(root, "generate", ...manifestsOptions);
        expect(stderr).not.toMatch(/error|warning/);
        expect(code).toBe(0);
      });

      it("deploys to the API server without errors and warnings", async () => {
        const built = await must(kubectlPath(), ["kustomize", "config/default"], { cwd: root });
        expect(built.stderr).toBe("");
        const file = join(root, "deployment.yaml");
        writeFileSync(file, built.stdout);
        try {
          const { code, stderr } = await kubectl.attempt("apply", "--server-side", "-f", file);
          expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        } finally {
          // No server handles them, so they would block the next deployments.
          const kinds = "validatingwebhookconfigurations,mutatingwebhookconfigurations";
          if (built.stdout.includes("WebhookConfiguration"))
            await kubectl.run("delete", kinds, "--all", "--wait=false");
        }
      });

      // No server handles conversions here.
      if (!combination.storable) return;
      it("has samples that the API server accepts", async () => {
        if (!readdirSync(join(root, "config")).includes("samples")) return;
        await eventually(async () => {
          const { code, stderr } = await kubectl.attempt(
            "create",
            "--dry-run=server",
            "-k",
            join(root, "config/samples"),
          );
          expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        });
      });
    },
  );

  it("all projects type-check", async () => {
    writeFileSync(join(parent, "tsconfig.json"), JSON.stringify(await projectOptions(parent)));
    const tsc = join(checkout, "node_modules/typescript-native/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", "."], { cwd: parent });
    expect(stdout).toBe("");
  });
}

/** Installs dependencies above all projects: this checkout's packages, and replacements for external types. */
function installPackages(parent: string): void {
  const modules = join(parent, "node_modules");
  const link = (name: string, target: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(checkout, target), join(modules, name), "junction");
  };
  link("@kubewright/runtime", "packages/runtime");
  for (const name of ["@types/node", "vitest"]) link(name, `node_modules/${name}`);
  const foreign = join(modules, "@kubernetes-models/cert-manager");
  cpSync(join(testdata, "cert-manager"), foreign, { recursive: true });
}

/** Returns one set of compiler options for all projects, read from one of them. */
async function projectOptions(parent: string): Promise<object> {
  const { readConfigFile, sys } = (await import("typescript")).default;
  const { config } = readConfigFile(join(parent, "p0/tsconfig.json"), sys.readFile);
  const include = config.include.map((directory: string) => `p*/${directory}`);
  return { ...config, include };
}
