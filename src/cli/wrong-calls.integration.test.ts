// Each invalid call ends with one clear line and the right exit code, and leaves the tree unchanged.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApi, initProject } from "../scaffold/test-support/game.ts";
import { madeOnce, testDirectory } from "../scaffold/test-support/tree.ts";
import { expectRefusal, type Prepare, type Row } from "./test-support/refusal.ts";
import { runCli } from "./test-support/run-cli.ts";

const nothing: Prepare = () => undefined;
const api = "create api --group myapp --version v1 --kind";

describe("the CLI outside of a project", () => {
  it.each<Row>([
    ["an unknown command", "inti", 2, 'unknown command "inti", did you mean init?'],
    ["an unknown command of two words", "create apis", 2, "did you mean create api?"],
    ["a command of another tool", "new api", 2, "did you mean create api?"],
    ["kubebuilder's command for an upgrade", "alpha update", 2, "did you mean upgrade?"],
    ["a simulation outside of a project", "simulate", 1, "this directory has no PROJECT file"],
    ["an incomplete command", "create", 2, '"scaffold create" requires a subcommand: project, api'],
    ["an unknown flag without a command", "--nope", 2, 'unknown flag "--nope"'],
    ["an unknown flag next to --version", "--nope --version", 2, 'unknown flag "--nope"'],
    [
      "a flag before the command",
      "--plugins=go/v4 create api --group shop --version v1 --kind Game",
      2,
      'flag "--plugins" before the command "create"',
    ],
    ["a misspelled first word of a command", "creat", 2, 'unknown command "creat", did you mean create?'],
    ["kubebuilder's alias of create", "new", 2, 'unknown command "new", did you mean create?'],
    ["an unknown flag", "init --domian example.com", 2, 'unknown flag "--domian", did you mean --domain?'],
    ["an extra argument", "init here", 2, 'scaffold init takes only flags: unexpected "here"'],
    ["an unknown shell", "completion fisch", 2, 'shell "fisch" isn\'t valid: it must be bash, zsh, fish or powershell'],
    ["a shell of 3,000 characters", `completion ${"a/".repeat(1500)}`, 2, `shell "${"a/".repeat(28)}a..." isn't valid`],
    ["a second shell", "completion bash zsh", 2, 'scaffold completion: unexpected argument "zsh"'],
    ["a plugin of another tool", "create api --plugins deploy-image/v1-alpha", 2, "v1-alpha\" isn't valid"],
    ["a plugin after the layout", "edit --plugins ts/v1,helm/v2-alpha", 2, '--plugins "helm/v2-alpha" isn\'t valid'],
    ["a flag with one dash", "init -domain a.io", 2, "did you mean --domain?"],
    ["a flag with control characters", "init --\u001b[31m", 2, "\\u001b[31m"],
    ["two values for one flag", "init --domain a.io --domain b.io", 2, "--domain has two different values"],
    ["a switch on and off", "init --multigroup --multigroup=false", 2, "--multigroup has two different values"],
    ["a word that resembles no command", "launch", 2, 'unknown command "launch"\n'],
    ["edit without a project", "edit --multigroup", 1, "this directory has no PROJECT file"],
    ["upgrade without a project", "upgrade --check", 1, "this directory has no PROJECT file"],
    ["a flag without its value", "init --domain", 2, "--domain needs a value"],
    ["a flag in place of a value", "init --domain --yes", 2, '--domain needs a value, and "--yes" looks like a flag'],
    ["an invalid domain", "init --domain Example_Com", 2, '--domain "Example_Com" isn\'t a valid DNS name'],
    ["a domain with shell characters", "init --domain $(id).com", 2, "isn't a valid DNS name"],
    ["an invalid project name", "init --project-name My.Game", 2, "isn't a valid DNS label"],
    ["an invalid repository", "init --project-name a --repo a/b/c", 2, "isn't a valid npm package name or module path"],
    ["a name that npm reserves", "init --repo github.com/a/Vitest", 2, "name vitest is reserved"],
    ["an empty name of a license file", "init --project-name a --license-file=", 2, "--license-file needs a value"],
    ["a directory as a license file", "init --project-name a --license-file .", 1, "it is a directory"],
    ["an unknown license", "init --project-name a --license mit", 2, '"mit" isn\'t valid: it must be apache2'],
    ["a missing license file", "init --project-name a --license-file none.txt", 1, "can't be read"],
    ["an owner with line breaks", "init --project-name a --owner a\nb", 2, "use one line of text"],
    [
      "another layout",
      "init --project-name a --plugins go/v4",
      2,
      '--plugins "go/v4" isn\'t valid: it must be ts.kubewright.io/v1',
    ],
    ["another project version", "init --project-name a --project-version 2", 2, '--project-version "2" must be 3'],
    [
      "an unknown source of certificates",
      "init --project-name a --webhook-certs vault",
      2,
      '--webhook-certs "vault" isn\'t valid: it must be self, cert-manager or files',
    ],
    ["no source of certificates", "init --project-name a --webhook-certs", 2, "--webhook-certs needs a value"],
    ["two sources of certificates", "init --webhook-certs self --webhook-certs files", 2, "has two different values"],
    ["edit --webhook-certs without a project", "edit --webhook-certs self", 1, "this directory has no PROJECT file"],
    ["a switch that is neither true nor false", "init --project-name a --namespaced=maybe", 2, "must be true or false"],
    ["delete without a subcommand", "delete", 2, '"scaffold delete" requires a subcommand: api, webhook'],
    ["delete api without a project", "delete api --group a --version v1 --kind B", 1, "has no PROJECT file"],
    ["no project", `${api} Game`, 1, "this directory has no PROJECT file"],
  ])("rejects %s: %s", (...row) => expectRefusal(nothing, row));

  it("doesn't mention a flag that init doesn't have", async () => {
    const root = testDirectory({ Makefile: "mine" });
    const end = await runCli(root, ["init", "--project-name", "a", "--fetch-deps=false"]);
    expect(end.code).toBe(1);
    expect(end.stderr).not.toContain("--force");
  });

  it("rejects a directory name that isn't a valid project name", async () => {
    const root = testDirectory({ "My Game/x": "" });
    const end = await runCli(join(root, "My Game"), ["init"]);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toContain("set the name with --project-name");
  });

  it("suggests edit --helm for kubebuilder's Helm plugin", async () => {
    const end = await runCli(testDirectory(), ["edit", "--plugins=helm/v2-alpha"]);
    expect(end.stderr).toContain("hint: create a Helm chart with npx scaffold edit --helm");
  });
});

describe("the CLI in a project", () => {
  const game = madeOnce(async (root) => {
    await initProject(root);
    await createApi(root);
  });
  it.each<Row>([
    [
      "a second project",
      "init --project-name a --domain a.io --fetch-deps=false",
      1,
      /already contains a project|is not built/,
    ],
    ["no group", "create api --version v1 --kind Chess", 2, "--group is missing"],
    [
      "a group without a value",
      "create api --group --version v1 --kind Chess",
      2,
      '--group needs a value, and "--version" looks like a flag',
    ],
    ["no version", "create api --group myapp --kind Chess", 2, "--version is missing"],
    ["no kind", "create api --group myapp --version v1", 2, "--kind is missing, such as --kind Game"],
    [
      "an invalid group",
      "create api --group My_App --version v1 --kind Chess",
      2,
      '--group "My_App" isn\'t a valid DNS name',
    ],
    [
      "a group of 300 letters",
      `create api --group ${"x".repeat(300)} --version v1 --kind Chess`,
      2,
      "xxx...\" isn't a valid DNS",
    ],
    [
      "a group with unicode",
      "create api --group spiel-ä --version v1 --kind Chess",
      2,
      '--group "spiel-ä" isn\'t a valid DNS',
    ],
    [
      "a group with ..",
      "create api --group ../up --version v1 --kind Chess",
      2,
      '--group "../up" isn\'t a valid DNS name',
    ],
    ["a version with a dot", "create api --group myapp --version v1.2 --kind Chess", 2, '"v1.2" isn\'t a valid API'],
    ["a version with ..", "create api --group myapp --version ../v1 --kind Chess", 2, "isn't a valid API version"],
    [
      "a version of 300 letters",
      `create api --group myapp --version v${"1".repeat(300)} --kind Chess`,
      2,
      "isn't a valid",
    ],
    [
      "an invalid version",
      "create api --group myapp --version 1.2 --kind Chess",
      2,
      '--version "1.2" isn\'t a valid API version',
    ],
    ["a kind in lower case", `${api} chess`, 2, '--kind "chess" isn\'t valid'],
    ["a kind with a dash", `${api} My-Chess`, 2, "use letters and digits, beginning with an uppercase letter"],
    ["a kind with unicode", `${api} Gäme`, 2, '--kind "Gäme" isn\'t valid'],
    ["a kind with shell characters", `${api} Game$(id)`, 2, '--kind "Game$(id)" isn\'t valid'],
    ["a kind with a template", `${api} {{kind}}`, 2, '--kind "{{kind}}" isn\'t valid'],
    ["a kind with ..", `${api} ../Game`, 2, '--kind "../Game" isn\'t valid'],
    ["a kind whose type names another kind uses", `${api} GameSpec`, 1, "the names of those of kind Game"],
    ["a plural of 300 letters", `${api} Chess --plural ${"x".repeat(300)}`, 2, "isn't a valid resource name"],
    ["a controller name of 300 letters", `${api} Chess --controller-name ${"x".repeat(300)}`, 2, "at most 63"],
    [
      "a directory instead of a package",
      `${api} Chess --external-api-path a --external-api-module ../a`,
      2,
      "use an npm package",
    ],
    ["a kind with control characters", `${api} Ga\u001b[2Jme`, 2, '"Ga\\u001b[2Jme"'],
    ["an invalid plural", `${api} Chess --plural Ch_ess`, 2, "isn't a valid resource name"],
    ["a kind of 300 letters", `${api} ${"X".repeat(300)}`, 2, "is too long"],
    ["nothing to create", `${api} Chess --resource=false --controller=false`, 2, "nothing would be created"],
    [
      "a controller without types",
      `${api} Chess --resource=false`,
      1,
      "API myapp.qingwave.github.io/v1, Kind=Chess not found",
    ],
    ["an existing kind", `${api} Game`, 1, "already exists; use --force"],
    [
      "a second group",
      "create api --group other --version v1 --kind Chess",
      1,
      "a single-group project supports one API group, here myapp",
    ],
    ["another scope for another version", `${api.replace("v1", "v2")} Game --namespaced=false`, 1, "--namespaced=true"],
    ["a controller for another version", `${api.replace("v1", "v2")} Game`, 1, "use --controller=false"],
    ["a name that differs in case", `${api} GAME --plural gamez`, 1, "its files would have the names of those"],
    ["a plural that another kind uses", `${api} Chess --plural games`, 1, "set another with --plural"],
    [
      "an invalid controller name",
      `${api} Chess --controller-name Other_One`,
      2,
      '--controller-name "Other_One" isn\'t valid',
    ],
    [
      "a controller name that another controller uses",
      `${api} Chess --controller-name game`,
      1,
      "the same as for the controller game of Game (v1)",
    ],
    [
      "a controller name without a controller",
      `${api} Chess --controller=false --controller-name x`,
      2,
      "can't be combined with --controller=false",
    ],
    [
      "an unknown built-in kind",
      "create api --group apps --version v1 --kind Chess --resource=false",
      2,
      "isn't a kind of",
    ],
    [
      "--resource with types of an external kind",
      `${api} Chess --external-api-path a/b --resource`,
      2,
      "can't be combined",
    ],
    [
      "a flag that kubebuilder removed",
      "create webhook --group myapp --version v1 --kind Game --defaulting --legacy",
      2,
      "--legacy was removed, as in kubebuilder 4.16",
    ],
    ["a flag of alpha update", "upgrade --use-gh-models", 2, "--use-gh-models was removed, as in kubebuilder 4.16"],
    ["--ssa without types", `${api} Chess --resource=false --ssa`, 2, "--ssa can't be combined with --resource=false"],
    ["edit without flags", "edit", 2, "nothing to edit: pass at least one of --multigroup, --namespaced"],
    [
      "an unknown option",
      "edit --enable ingress",
      2,
      '--enable "ingress" isn\'t valid: it must be webhook, cert-manager',
    ],
    [
      "a misspelled built-in kind",
      "create api --group apps --version v1 --kind Deploymnt --resource=false",
      2,
      "did you mean Deployment?",
    ],
    [
      "an option both enabled and disabled",
      "edit --enable webhook --disable webhook",
      2,
      "webhook can't be in both --enable and --disable",
    ],
    [
      "an unknown source of certificates",
      "edit --webhook-certs acme",
      2,
      '--webhook-certs "acme" isn\'t valid: it must be self, cert-m',
    ],
    ["no source of certificates", "edit --webhook-certs", 2, "--webhook-certs needs a value"],
    [
      "cert-manager in a project that doesn't use it",
      "edit --webhook-certs self --enable cert-manager",
      1,
      "this project doesn't use cert-manager",
    ],
    [
      "metrics certificates without webhooks",
      "edit --webhook-certs self --enable metrics-certs",
      1,
      "it needs webhook",
    ],
    ["an unknown license", "edit --license mit", 2, '--license "mit" isn\'t valid'],
    ["an owner with line breaks", "edit --owner a\nb", 2, "use one line of text"],
    ["delete api without a kind", "delete api --group myapp --version v1", 2, "--kind is missing, such as --kind Game"],
    ["delete api with an unknown kind", "delete api --group myapp --version v1 --kind Chess", 1, 'no kind "Chess" in'],
    [
      "delete webhook without webhooks",
      "delete webhook --group myapp --version v1 --kind Game",
      1,
      "Game has no webhooks",
    ],
    [
      "delete webhook with an unknown webhook",
      "delete webhook --group myapp --version v1 --kind Game --defaulting",
      1,
      "no defaulting webhook",
    ],
    ["delete api with an unknown version", "delete api --group myapp --version v2 --kind Game", 1, "no kind"],
    ["an existing kind, with flags without effect", `${api} Game --make --ssa`, 1, "already exists"],
    [
      "create webhook without a type, with a flag without effect",
      `${api.replace("api", "webhook")} Game --make`,
      2,
      "at least one of --defaulting",
    ],
    [
      "a second project with flags without effect",
      "init --project-name a --domain a.io --repo github.com/a/b --skip-go-version-check --component-config",
      1,
      "already contains a project",
    ],
    ["a package with ..", `${api} Chess --external-api-path ../x`, 2, '--external-api-path "../x" isn\'t valid'],
  ])("rejects %s: %s", (...row) => expectRefusal(game, row));
});

describe("the CLI in a project with several groups", () => {
  const groups = madeOnce(async (root) => {
    await initProject(root, { multigroup: true, namespaced: true });
    await createApi(root, { group: "" });
    await createApi(root, { group: "a.b" });
    const crd = readFileSync(join(import.meta.dirname, "../../testdata/from-crd/everything.yaml"), "utf8");
    writeFileSync(join(root, "crd.yaml"), crd.replaceAll("tools.example.org", "a.b"));
  });
  it.each<Row>([
    [
      "a group whose directory contains another group",
      "create api --from-crd crd.yaml",
      1,
      "its directory is already used by",
    ],
    [
      "a group whose directory make manifests skips",
      `${api.replace("myapp", "testdata")} Chess`,
      2,
      "skips a directory of this name",
    ],
    [
      "a controller with the same name in metrics as another",
      `${api.replace("myapp", "a-b")} Game`,
      1,
      "the controller game can't be",
    ],
    [
      "an existing cluster-scoped kind",
      `${api.replace("myapp", "a.b")} Game --namespaced=false`,
      1,
      "already exists; use --force",
    ],
  ])("rejects %s: %s", (...row) => expectRefusal(groups, row));
});

describe("the CLI in a damaged project", () => {
  it.each<readonly [string, Prepare, string | RegExp]>([
    ["a PROJECT with invalid YAML", (root) => writeFileSync(join(root, "PROJECT"), "a: ["), "PROJECT can't be read"],
    [
      "a PROJECT of another tool",
      (root) => writeFileSync(join(root, "PROJECT"), 'version: "3"\nlayout: [go.kubebuilder.io/v4]\n'),
      "created by another tool",
    ],
    ["an empty PROJECT", (root) => writeFileSync(join(root, "PROJECT"), ""), "it is empty"],
    ["a directory PROJECT", (root) => mkdirSync(join(root, "PROJECT")), "there is a directory of that name"],
    [
      "a PROJECT that is a link to itself",
      (root) => symlinkSync("PROJECT", join(root, "PROJECT")),
      "is a link that leads back to itself",
    ],
    ["a dangling PROJECT link", (root) => symlinkSync("nowhere", join(root, "PROJECT")), "is a link to nothing"],
    [
      "a PROJECT that is a link to the outside",
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
      "an api directory that is a link to the outside",
      async (root) => {
        await initProject(root);
        symlinkSync("/tmp", join(root, "api"));
      },
      "is a link that leaves the project",
    ],
    [
      "a file at the path of a directory",
      async (root) => {
        await initProject(root);
        writeFileSync(join(root, "api"), "");
      },
      "api is a file",
    ],
    [
      "a file of the user at the path of a new file",
      async (root) => {
        await initProject(root);
        await createApi(root);
        writeFileSync(join(root, "api/v1/chess-types.ts"), "mine");
      },
      "api/v1/chess-types.ts exists already",
    ],
  ])("rejects %s", async (what, prepare, message) => {
    await expectRefusal(prepare, [what, `${api} Chess`, 1, message]);
  });
});
