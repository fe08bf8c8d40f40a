// Copies each example to its scaffolded project: the generator must not warn, and the code must compile with the
// packages of this checkout. The tests with an API server are *.full.test.ts.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { attemptScaffold, checkout, manifestsOptions } from "../../scripts/test-support/scaffold.ts";
import { thorough } from "../../scripts/test-support/thorough.ts";

interface Example {
  init: string;
  api: string;
  /** Directories under examples/, in the order in which they are copied. */
  parts: readonly string[];
  webhooks?: boolean;
  /** Calls after the first part is copied, for the other parts. */
  more?: readonly string[];
}

export const examples: Readonly<Record<string, Example>> = {
  cronjob: {
    init: "--domain tutorial.kubebuilder.io --repo tutorial.kubebuilder.io/project",
    api: "--group batch --version v1 --kind CronJob",
    parts: ["cronjob", "cronjob-v2"],
    webhooks: true,
    more: [
      "create api --group batch --version v2 --kind CronJob --controller=false",
      "create webhook --group batch --version v1 --kind CronJob --conversion --spoke v2",
      "create webhook --group batch --version v2 --kind CronJob --defaulting --programmatic-validation",
    ],
  },
  "deploy-image": {
    init: "--domain testproject.org",
    api: "--group example.com --version v1alpha1 --kind Memcached",
    parts: ["deploy-image"],
  },
  dnsrecord: {
    init: "--domain example.com --repo example.com/dns-operator",
    api: "--group dns --version v1 --kind DnsRecord",
    parts: ["dnsrecord"],
  },
  examplea: {
    init: "--domain linkinstars.com --repo linkinstars.com/op-ex",
    api: "--group example --version v1 --kind ExampleA",
    parts: ["examplea"],
  },
  game: {
    init: "--domain qingwave.github.io --repo qingwave.github.io/mygame",
    api: "--group myapp --version v1 --kind Game",
    parts: ["game", "game-webhook"],
    webhooks: true,
  },
  memcached: {
    init: "--domain example.com --repo github.com/example/memcached-operator",
    api: "--group cache --version v1alpha1 --kind Memcached",
    parts: ["memcached"],
  },
  mywebserver: {
    init: "--domain gsa.com --repo github.com/gayatri-sa/k8s-operator",
    api: "--group k8sobjects --version v2 --kind MyWebserver",
    parts: ["mywebserver"],
  },
  virtulmachine: {
    init: "--domain sealyun.com --license apache2 --owner fanux",
    api: "--group infra --version v1 --kind VirtulMachine",
    parts: ["virtulmachine"],
    webhooks: true,
  },
  website: {
    init: "--domain example.com",
    api: "--group web --version v1 --kind Website",
    parts: ["website"],
    webhooks: true,
  },
};

/**
 * Defines the tests of all examples. Only full runs scaffold each of them.
 *
 * @param tested - the examples whose own tests and simulations run, which takes seconds for each
 */
export function testExamples(tested: readonly string[]): void {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-examples-"));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it("all examples are tested", () => {
    const parts = Object.values(examples).flatMap((example) => example.parts);
    expect(parts.sort()).toEqual(readdirSync(join(checkout, "examples")).sort());
  });

  const scaffolded = Object.entries(examples).filter(([name]) => thorough || ["game", "dnsrecord"].includes(name));
  describe.each(scaffolded)("%s", (name, { init, api, parts, webhooks = false, more = [] }) => {
    const root = join(parent, name);
    const call = (line: string) => attemptScaffold(root, ...line.split(" "));

    it("scaffolds and generates", async () => {
      mkdirSync(root);
      const calls = [`init ${init} --fetch-deps=false`, `create api ${api} --kstatus=false`];
      if (webhooks) calls.push(`create webhook ${api} --defaulting --programmatic-validation`);
      const callAll = async (lines: readonly string[]) => {
        for (const line of lines) expect(await call(line), line).toMatchObject({ code: 0 });
      };
      await callAll(calls);
      for (const [index, part] of parts.entries()) {
        if (index === 1) await callAll(more);
        cpSync(join(checkout, "examples", part), root, { recursive: true });
      }
      const { code, stderr } = await call(`generate ${manifestsOptions.join(" ")}`);
      // A CRD that embeds Pods exceeds the limit of client-side apply, but `make install` uses server-side apply.
      expect(stderr).not.toMatch(/error|warning(?!.*\[crd-too-big\])/);
      expect(code).toBe(0);
      // Scaffolded webhooks are used, and examples without webhooks don't register any.
      expect(readFileSync(join(root, "src/main.ts"), "utf8").includes("WebhookWithManager")).toBe(webhooks);
    });
  });

  it("the scaffolded examples type-check", async () => {
    const scope = join(parent, "node_modules/@kubewright");
    mkdirSync(scope, { recursive: true });
    symlinkSync(join(checkout, "packages/runtime"), join(scope, "runtime"), "junction");
    mkdirSync(join(parent, "node_modules/@types"));
    for (const name of ["@types/node", "vitest", "croner"]) {
      symlinkSync(join(checkout, "node_modules", name), join(parent, "node_modules", name), "junction");
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(parent, "game/tsconfig.json"), "utf8"));
    const include = scaffolded.flatMap(([name]) => [`${name}/api`, `${name}/src`]);
    writeFileSync(join(parent, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
    const tsc = join(checkout, "node_modules/typescript-native/bin/tsc");
    expect((await run(process.execPath, [tsc, "-p", "."], { cwd: parent })).stdout).toBe("");
  });

  it.each(tested)("%s passes its own tests, with the embedded API server", async (name) => {
    const vitest = join(checkout, "node_modules/vitest/vitest.mjs");
    const env = { KUBEBUILDER_ASSETS: undefined, HOME: parent, NO_COLOR: "1" };
    const { code, stdout, stderr } = await run(process.execPath, [vitest, "run"], { cwd: join(parent, name), env });
    expect(code, stdout + stderr).toBe(0);
  });

  // KUBEWRIGHT_SCHEDULES sets how many schedules each example runs.
  it.each(tested)("simulations of %s have no finding", async (name) => {
    const seeds = process.env.KUBEWRIGHT_SCHEDULES ?? "3";
    const { code, stdout, stderr } = await attemptScaffold(join(parent, name), "simulate", "--seeds", seeds);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/^findings +0$/m);
  });
}
