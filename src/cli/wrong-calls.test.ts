// Each wrong call ends with one clear line, the right exit code, and a tree that nobody touched.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, createWebhook, initProject } from "../scaffold/test-support/game.ts";
import { madeOnce, snapshot, testDirectory } from "../scaffold/test-support/tree.ts";
import { runCli } from "./test-support/run-cli.ts";

type Prepare = (root: string) => unknown;
type Row = readonly [what: string, argv: string, code: number, message: string | RegExp];

async function expectRefusal(prepare: Prepare, [, argv, code, message]: Row): Promise<void> {
  const root = testDirectory();
  await prepare(root);
  const before = snapshot(root);
  const words = argv.split(" ").map((word) => word.replaceAll("␣", " "));
  const end = await runCli(root, words);
  const [line = "", ...hints] = end.stderr.trimEnd().split("\n");
  expect(line).toMatch(/^error: /);
  if (typeof message === "string") expect(`${line}\n`).toContain(message);
  else expect(line).toMatch(message);
  for (const hint of hints) expect(hint).toMatch(/^ {2}/);
  expect(end.stdout).toBe("");
  expect(end.code).toBe(code);
  expect(snapshot(root)).toEqual(before);

  const json = await runCli(root, [...words, "--json"]);
  expect(json.code).toBe(code);
  expect(JSON.parse(json.stdout).diagnostics).toMatchObject([{ severity: "error", id: expect.any(String) }]);
}

const nothing: Prepare = () => undefined;
const api = "create api --group myapp --version v1 --kind";

describe("outside of a project", () => {
  it.each<Row>([
    ["an unknown command", "inti", 2, 'unknown command "inti", did you mean init?'],
    ["an unknown command of two words", "create apis", 2, "did you mean create api?"],
    ["another tool's word", "new api", 2, "did you mean create api?"],
    ["half a command", "create", 2, "scaffold create what? There is: create api"],
    ["an unknown flag without a command", "--nope", 2, 'unknown flag "--nope"'],
    ["an unknown flag", "init --domian example.com", 2, "unknown option '--domian' (Did you mean --domain?)"],
    ["an argument too many", "init here", 2, 'scaffold init takes flags only, "here" is none'],
    ["a flag with one dash", "init -domain a.io", 2, "(Did you mean --domain?)"],
    ["a flag with control characters", "init --\u001b[31m", 2, "\\u001b[31m"],
    ["two values for one flag", "init --domain a.io --domain b.io", 2, "--domain is given twice"],
    ["a switch both on and off", "init --multigroup --multigroup=false", 2, "--multigroup is given twice"],
    ["a word that resembles no command", "launch", 2, 'unknown command "launch"\n'],
    ["no project to edit", "edit --multigroup", 1, "this directory holds no project"],
    ["no project to upgrade", "upgrade --check", 1, "this directory holds no project"],
    ["a flag without its value", "init --domain", 2, "--domain needs a value"],
    ["a flag in place of a value", "init --domain --yes", 2, '--domain needs a value, and "--yes" looks like a flag'],
    ["a bad domain", "init --domain Example_Com", 2, '--domain "Example_Com" is not a DNS name'],
    ["a domain with shell characters", "init --domain $(id).com", 2, "is not a DNS name"],
    ["a bad project name", "init --project-name My.Game", 2, "is no DNS label"],
    ["a bad repository", "init --project-name a --repo a/b/c", 2, "is neither an npm package name nor a module path"],
    ["a repository that npm can't install", "init --repo github.com/a/Vitest", 2, "would be called vitest"],
    ["no name of a license file", "init --project-name a --license-file=", 2, "--license-file needs a value"],
    ["a directory as license file", "init --project-name a --license-file .", 1, "it is a directory"],
    ["an unknown license", "init --project-name a --license mit", 2, '--license "mit" is not known'],
    ["a license file that isn't there", "init --project-name a --license-file none.txt", 1, "can't be read"],
    ["an owner with line breaks", "init --project-name a --owner a\nb", 2, "must be one line"],
    ["another layout", "init --project-name a --plugins go/v4", 2, '--plugins "go/v4" is not known'],
    ["another project version", "init --project-name a --project-version 2", 2, '--project-version "2" is not known'],
    ["certificates of another kind", "init --project-name a --webhook-certs self", 2, "cert-manager is what there is"],
    ["a switch that is neither", "init --project-name a --namespaced=maybe", 2, "is neither true nor false"],
    ["to delete what", "delete", 2, "scaffold delete what? There is: delete api, delete webhook"],
    ["no project to delete from", "delete api --group a --version v1 --kind B", 1, "this directory holds no project"],
    ["no project", `${api} Game`, 1, "this directory holds no project"],
  ])("refuses %s: %s", (...row) => expectRefusal(nothing, row));

  it("doesn't speak of a flag that init doesn't have", async () => {
    const root = testDirectory({ Makefile: "mine" });
    const end = await runCli(root, ["init", "--project-name", "a", "--fetch-deps=false"]);
    expect(end.code).toBe(1);
    expect(end.stderr).not.toContain("--force");
  });

  it("refuses a directory's name that can't be a project's", async () => {
    const root = testDirectory({ "My Game/x": "" });
    const end = await runCli(join(root, "My Game"), ["init"]);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toContain("give one with --project-name");
  });
});

describe("in a project", () => {
  const game = madeOnce(async (root) => {
    await initProject(root);
    await createApi(root);
  });
  it.each<Row>([
    [
      "a second project",
      "init --project-name a --domain a.io --fetch-deps=false",
      1,
      /holds a project already|is not built/,
    ],
    ["no group", "create api --version v1 --kind Chess", 2, "--group is missing"],
    ["no version", "create api --group myapp --kind Chess", 2, "--version is missing"],
    ["no kind", "create api --group myapp --version v1", 2, "--kind is missing, such as --kind Game"],
    ["a bad group", "create api --group My_App --version v1 --kind Chess", 2, '--group "My_App" is not a DNS name'],
    ["a bad version", "create api --group myapp --version 1.2 --kind Chess", 2, '--version "1.2" is no API version'],
    ["a kind in lower case", `${api} chess`, 2, '--kind "chess" is no kind'],
    ["a kind with a dash", `${api} My-Chess`, 2, "an upper-case letter, then letters and digits"],
    ["a global of JavaScript", `${api} Promise`, 2, "a global of JavaScript"],
    ["a name of the runtime", `${api} Client`, 2, "imports from @kubewright/runtime"],
    ["a kind with control characters", `${api} Ga\u001b[2Jme`, 2, '"Ga\\u001b[2Jme"'],
    ["a bad plural", `${api} Chess --plural Ch_ess`, 2, "is no resource name"],
    ["a kind of 300 letters", `${api} ${"X".repeat(300)}`, 2, "is too long"],
    ["nothing to create", `${api} Chess --resource=false --controller=false`, 2, "nothing to create"],
    [
      "a controller without types",
      `${api} Chess --resource=false`,
      1,
      "there is no API myapp.qingwave.github.io/v1, Kind=Chess",
    ],
    ["a kind that exists", `${api} Game`, 1, "exists already; --force"],
    ["a second group", "create api --group other --version v1 --kind Chess", 1, "the project has one group, myapp"],
    ["another scope for another version", `${api.replace("v1", "v2")} Game --namespaced=false`, 1, "--namespaced=true"],
    [
      "a controller for another version",
      `${api.replace("v1", "v2")} Game`,
      1,
      "add the version with --controller=false",
    ],
    ["a name that differs in case", `${api} GAME --plural gamez`, 1, "its files would be those"],
    ["a plural that is taken", `${api} Chess --plural games`, 1, "choose one with --plural"],
    [
      "a bad controller name",
      `${api} Chess --controller-name Other_One`,
      2,
      '--controller-name "Other_One" is no name',
    ],
    ["a controller name that is taken", `${api} Chess --controller-name game`, 1, "Game (v1) has the controller game"],
    ["a controller name for no controller", `${api} Chess --controller=false --controller-name x`, 2, "makes none"],
    [
      "a kind that Kubernetes doesn't have",
      "create api --group apps --version v1 --kind Chess --resource=false",
      2,
      "is no kind that Kubernetes",
    ],
    ["types of a kind from elsewhere", `${api} Chess --external-api-path a/b --resource`, 2, "exclude each other"],
    ["nothing to edit", "edit", 2, "nothing to edit: --multigroup, --namespaced"],
    [
      "an option that isn't known",
      "edit --enable ingress",
      2,
      '--enable "ingress" is not known: webhook, cert-manager',
    ],
    ["an option both on and off", "edit --enable webhook --disable webhook", 2, "is both in --enable and in --disable"],
    ["a chart", "edit --helm", 2, "--helm is not supported"],
    ["to delete without a kind", "delete api --group myapp --version v1", 2, "--kind is missing, such as --kind Game"],
    [
      "to delete a kind that isn't there",
      "delete api --group myapp --version v1 --kind Chess",
      1,
      'no kind "Chess" in',
    ],
    [
      "to delete webhooks that aren't there",
      "delete webhook --group myapp --version v1 --kind Game",
      1,
      "Game has no webhooks",
    ],
    [
      "to delete a webhook that isn't there",
      "delete webhook --group myapp --version v1 --kind Game --defaulting",
      1,
      "no defaulting webhook",
    ],
    ["to delete a version that isn't there", "delete api --group myapp --version v2 --kind Game", 1, "no kind"],
    ["a kind from nowhere", `${api} Chess --external-api-path ../x`, 2, '--external-api-path "../x" is no module'],
  ])("refuses %s: %s", (...row) => expectRefusal(game, row));
});

describe("create webhook", () => {
  const game = madeOnce(async (root) => {
    await initProject(root);
    await createApi(root);
    await createApi(root, { version: "v2", controller: false });
    await createWebhook(root, { defaulting: true, defaultingPath: "/taken" });
  });
  const webhook = "create webhook --group myapp --version v1 --kind Game";
  const external = "create webhook --group cert-manager --version v1 --kind Issuer --defaulting";
  it.each<Row>([
    ["no group", "create webhook --version v1 --kind Game --defaulting", 2, "--group is missing"],
    ["no version", "create webhook --group myapp --kind Game --defaulting", 2, "--version is missing"],
    ["no kind", "create webhook --group myapp --version v1 --defaulting", 2, "--kind is missing"],
    ["no type", webhook, 2, "at least one of --defaulting, --programmatic-validation and --conversion is needed"],
    ["a bad version", `${webhook.replace("v1", "1")} --defaulting`, 2, '--version "1" is no API version'],
    ["a bad kind", `${webhook.replace("Game", "game")} --defaulting`, 2, '--kind "game" is no kind'],
    ["a flag that isn't there", `${webhook} --validating`, 2, "--validating"],
    ["a switch that is neither", `${webhook} --defaulting=perhaps`, 2, "is neither true nor false"],
    [
      "a kind that isn't there",
      `${webhook.replace("Game", "Chess")} --defaulting`,
      1,
      "make it first with scaffold create api",
    ],
    [
      "a version that isn't there",
      `${webhook.replace("v1", "v9")} --defaulting`,
      1,
      "there is no API myapp.qingwave.github.io/v9, Kind=Game",
    ],
    ["another plural", `${webhook} --programmatic-validation --plural gamez`, 1, "has the plural games"],
    [
      "a webhook that exists",
      `${webhook} --defaulting`,
      1,
      "the defaulting webhook of myapp.qingwave.github.io/v1, Kind=Game exists already",
    ],
    [
      "one that exists beside a new one",
      `${webhook} --defaulting --programmatic-validation`,
      1,
      "exists already; --force",
    ],
    [
      "a path without its webhook",
      `${webhook} --programmatic-validation --defaulting-path /a`,
      2,
      "--defaulting-path can only be used with --defaulting",
    ],
    [
      "the other path without its webhook",
      `${webhook} --defaulting --validation-path /a`,
      2,
      "--validation-path can only be used with --programmatic-validation",
    ],
    [
      "a path without a slash",
      `${webhook} --programmatic-validation --validation-path check`,
      2,
      '--validation-path "check" is no path',
    ],
    ["a path with a comma", `${webhook} --programmatic-validation --validation-path /a,b`, 2, "is no path"],
    ["a path with shell characters", `${webhook} --programmatic-validation --validation-path /$(id)`, 2, "is no path"],
    ["a path that leads up", `${webhook} --programmatic-validation --validation-path /../a`, 2, "is no path"],
    [
      "a path of 300 letters",
      `${webhook} --programmatic-validation --validation-path /${"x".repeat(300)}`,
      2,
      "at most 200 characters",
    ],
    ["an empty path", `${webhook} --programmatic-validation --validation-path=`, 2, "is no path"],
    [
      "one path for both",
      `${webhook} --defaulting --programmatic-validation --defaulting-path /a --validation-path /a`,
      2,
      "are both /a",
    ],
    [
      "a path that is taken",
      `${webhook} --programmatic-validation --validation-path /taken`,
      1,
      "the defaulting webhook of Game has it",
    ],
    [
      "a spoke without conversion",
      `${webhook} --programmatic-validation --spoke v2`,
      2,
      "--spoke can only be used with --conversion",
    ],
    ["a spoke that is no version", `${webhook} --conversion --spoke two`, 2, '--spoke "two" is no API version'],
    ["an empty spoke", `${webhook} --conversion --spoke v2,`, 2, '--spoke "" is no API version'],
    ["a spoke twice", `${webhook} --conversion --spoke v2 --spoke v2`, 2, "--spoke names v2 twice"],
    ["the hub as spoke", `${webhook} --conversion --spoke v2,v1`, 2, "v1 is the hub"],
    ["a spoke that isn't there", `${webhook} --conversion --spoke v3`, 1, "Game has no version v3 (Game has v1, v2)"],
    [
      "conversion of a kind of Kubernetes",
      "create webhook --group core --version v1 --kind Pod --conversion",
      1,
      "it is no kind of this project",
    ],
    [
      "a kind that Kubernetes hasn't",
      "create webhook --group core --version v1 --kind Pot --defaulting",
      2,
      '--kind "Pot" is no kind that Kubernetes',
    ],
    [
      "a version that Kubernetes hasn't",
      "create webhook --group apps --version v7 --kind Deployment --defaulting",
      2,
      "it serves no version v7 of the group",
    ],
    [
      "another plural of a kind of Kubernetes",
      "create webhook --group core --version v1 --kind Pod --defaulting --plural podz",
      1,
      "has the plural pods",
    ],
    [
      "a module without its path",
      `${external} --external-api-module a`,
      2,
      "--external-api-module needs --external-api-path",
    ],
    [
      "a domain without its path",
      `${external} --external-api-domain io`,
      2,
      "--external-api-domain needs --external-api-path",
    ],
    ["a path that is no module", `${external} --external-api-path ../a`, 2, "is no module of an npm package"],
    [
      "a module that is no package",
      `${external} --external-api-path a --external-api-module ../a`,
      2,
      "is no npm package",
    ],
    [
      "a path for a kind of the project",
      `${webhook} --programmatic-validation --external-api-path a`,
      1,
      "Game is a kind of this project",
    ],
    [
      "a domain for a kind of the project",
      `${webhook} --programmatic-validation --external-api-path a --external-api-domain io`,
      1,
      "Game is a kind of this project",
    ],
    [
      "a kind of another package whose name is taken",
      "create webhook --group other --version v1 --kind Game --defaulting --external-api-path a",
      1,
      "src/webhook/v1/game-webhook.ts holds those of kind Game",
    ],
  ])("refuses %s: %s", (...row) => expectRefusal(game, row));

  const whole = madeOnce(async (root) => {
    await initProject(root);
    await createApi(root);
  });
  it.each<readonly [string, Prepare, string | RegExp]>([
    [
      "a main.ts without its anchor",
      (root) => writeFileSync(join(root, "src/main.ts"), "// +kubebuilder:scaffold:imports\n"),
      /src\/main\.ts has no line .*scaffold:builder/,
    ],
    ["no main.ts", (root) => rmSync(join(root, "src/main.ts")), "src/main.ts is missing"],
    [
      "no kustomization",
      (root) => rmSync(join(root, "config/default/kustomization.yaml")),
      "config/default/kustomization.yaml is missing",
    ],
    [
      "a kustomization without the option",
      (root) => writeFileSync(join(root, "config/default/kustomization.yaml"), "resources:\n- ../rbac\n"),
      "config/default/kustomization.yaml has no resources with - ../webhook",
    ],
    [
      "a policy without resources",
      (root) => writeFileSync(join(root, "config/network-policy/kustomization.yaml"), "a: 1\n"),
      'config/network-policy/kustomization.yaml has no list "resources"',
    ],
    [
      "tests in a cluster without their anchor",
      (root) => writeFileSync(join(root, "test/e2e/manager.e2e.ts"), "// mine\n"),
      "test/e2e/manager.e2e.ts has no line",
    ],
    [
      "a file of the user in the way",
      (root) => {
        mkdirSync(join(root, "src/webhook/v1"), { recursive: true });
        writeFileSync(join(root, "src/webhook/v1/game-webhook.ts"), "mine");
      },
      "src/webhook/v1/game-webhook.ts exists already",
    ],
    [
      "a directory that leads out",
      (root) => symlinkSync("/tmp", join(root, "src/webhook")),
      "is a link that leaves the project",
    ],
    [
      "a record that is none",
      (root) => {
        const file = join(root, "PROJECT");
        writeFileSync(file, readFileSync(file, "utf8").replace("  version: v1\n", "  version: v1\n  webhooks: yes\n"));
      },
      "PROJECT can't be read: resources[0].webhooks is no map of keys",
    ],
  ])("refuses %s", async (what, damage, message) => {
    const prepare: Prepare = async (root) => {
      await whole(root);
      await damage(root);
    };
    await expectRefusal(prepare, [what, `${webhook} --defaulting`, 1, message]);
  });
});

describe("in a damaged project", () => {
  it.each<readonly [string, Prepare, string | RegExp]>([
    ["a PROJECT that is no YAML", (root) => writeFileSync(join(root, "PROJECT"), "a: ["), "PROJECT can't be read"],
    [
      "a PROJECT of another tool",
      (root) => writeFileSync(join(root, "PROJECT"), 'version: "3"\nlayout: [go.kubebuilder.io/v4]\n'),
      "made by another tool",
    ],
    ["a PROJECT that is empty", (root) => writeFileSync(join(root, "PROJECT"), ""), "it is empty"],
    ["a PROJECT that is a directory", (root) => mkdirSync(join(root, "PROJECT")), "there is a directory of that name"],
    [
      "a PROJECT that leads to itself",
      (root) => symlinkSync("PROJECT", join(root, "PROJECT")),
      "is a link that leads back to itself",
    ],
    ["a PROJECT that leads nowhere", (root) => symlinkSync("nowhere", join(root, "PROJECT")), "is a link to nothing"],
    [
      "a PROJECT outside of the directory",
      (root) => symlinkSync("/etc/hostname", join(root, "PROJECT")),
      "is a link that leaves the project",
    ],
    [
      "a main.ts without its anchor",
      async (root) => {
        await initProject(root);
        writeFileSync(join(root, "src/main.ts"), "// + kubebuilder:scaffold:imports\n");
      },
      /src\/main\.ts has no line .*\(line 1 looks like it/,
    ],
    [
      "an api directory that leads out",
      async (root) => {
        await initProject(root);
        symlinkSync("/tmp", join(root, "api"));
      },
      "is a link that leaves the project",
    ],
    [
      "a file where a directory has to be",
      async (root) => {
        await initProject(root);
        writeFileSync(join(root, "api"), "");
      },
      "api is a file",
    ],
    [
      "a file of the user in the way",
      async (root) => {
        await initProject(root);
        await createApi(root);
        writeFileSync(join(root, "api/v1/chess-types.ts"), "mine");
      },
      "api/v1/chess-types.ts exists already",
    ],
  ])("refuses %s", async (what, prepare, message) => {
    await expectRefusal(prepare, [what, `${api} Chess`, 1, message]);
  });
});

describe("create api --from-crd", () => {
  const crd = (change: (text: string) => string = (text) => text) =>
    change(readFileSync(join(import.meta.dirname, "../../testdata/from-crd/everything.yaml"), "utf8"));
  const game = madeOnce(async (root) => {
    await initProject(root);
    writeFileSync(join(root, "crd.yaml"), crd());
    writeFileSync(join(root, "two.yaml"), `${crd()}---\n${crd((text) => text.replace("widgetry.", "gadgets."))}`);
    writeFileSync(
      join(root, "old.yaml"),
      crd((text) => text.replace("k8s.io/v1", "k8s.io/v1beta1")),
    );
    writeFileSync(join(root, "pod.yaml"), "apiVersion: v1\nkind: Pod\n");
    writeFileSync(join(root, "chart.yaml"), "{{- if .Values.crds }}\nkind: X\n");
    writeFileSync(join(root, "empty.yaml"), "");
    writeFileSync(
      join(root, "bare.yaml"),
      crd((text) => text.replace(/openAPIV3Schema(?!.*openAPIV3Schema)/s, "other")),
    );
    writeFileSync(
      join(root, "kind.yaml"),
      crd((text) => text.replace("kind: Widget\n", "kind: Promise\n")),
    );
    await createApi(root);
  });
  const call = "create api --from-crd";
  it.each<Row>([
    ["no value", call, 2, "--from-crd needs a value"],
    ["a file that isn't there", `${call} none.yaml`, 1, "can't be read: there is no such file"],
    ["a directory", `${call} .`, 1, "can't be read: it is a directory"],
    ["another object", `${call} pod.yaml`, 2, "holds no CustomResourceDefinition, but Pod"],
    ["nothing", `${call} empty.yaml`, 2, "holds no CustomResourceDefinition, but nothing"],
    ["a template", `${call} chart.yaml`, 2, "is no YAML or JSON"],
    [
      "several",
      `${call} two.yaml`,
      2,
      "holds several CustomResourceDefinitions: widgetry.tools.example.org, gadgets.tools",
    ],
    ["v1beta1", `${call} old.yaml`, 2, 'is a CustomResourceDefinition of "apiextensions.k8s.io/v1beta1"'],
    ["no schema", `${call} bare.yaml`, 2, "has no schema in its version v1alpha1"],
    ["a kind that can't be a type", `${call} kind.yaml`, 2, "a global of JavaScript"],
    ["another kind", `${call} crd.yaml --kind Chess`, 2, "is not what the CustomResourceDefinition has: Widget"],
    [
      "another version",
      `${call} crd.yaml --version v3`,
      2,
      "is not what the CustomResourceDefinition has: v1, v1alpha1",
    ],
    ["another scope", `${call} crd.yaml --namespaced`, 2, "its scope is Cluster"],
    ["no types", `${call} crd.yaml --resource=false`, 2, "--from-crd makes types"],
    ["types from elsewhere too", `${call} crd.yaml --external-api-path x`, 2, "exclude each other"],
    ["a second group", `${call} crd.yaml`, 1, "the project has one group, myapp"],
  ])("refuses %s: %s", (...row) => expectRefusal(game, row));
});
