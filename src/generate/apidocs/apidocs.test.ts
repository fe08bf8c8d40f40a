import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { generate } from "../generate.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";
import { referenceProject } from "./test-support/reference-project.ts";

async function run(files: Readonly<Record<string, string>>, options = "apidocs paths=./...") {
  const cwd = project(files);
  const { diagnostics, plan } = await generate(requestOf(cwd, options.split(" ")));
  const written = new Map(
    plan.writes.map(({ path, after }) => [relative(cwd, path).replaceAll("\\", "/"), after ?? ""]),
  );
  const page = written.get("docs/api/index.md") ?? "";
  return { diagnostics, files: written, page, plan };
}

/** Returns the section of a type. */
function section(page: string, anchor: string): string {
  const [, text = ""] = page.split(`<a id="${anchor}"></a>\n\n`);
  return text.split("<a id=")[0]!.trimEnd();
}
const v1 = "v1-example.com";

/** Returns the cells of a row. */
function row(page: string, anchor: string, field: string): string[] {
  const line = section(page, anchor)
    .split("\n")
    .find((line) => line.startsWith(`| \`${field}\``));
  return (line ?? "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe("apidocs", () => {
  it("has the structure of crd-ref-docs: packages, kinds, and a section per type", async () => {
    const { page, diagnostics, files } = await run(referenceProject);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect([...files.keys()]).toEqual(["docs/api/index.md"]);
    expect(page.split("\n").filter((line) => /^#+ /.test(line))).toEqual([
      "# API Reference",
      "## Packages",
      "## example.com/v1",
      "### Resource Types",
      "#### Game",
      "#### Box&lt;Port&gt;",
      "#### FileSource",
      "#### GameSpec",
      "#### GameStatus",
      "#### Mode",
      "#### Port",
      "#### Secret",
      "#### Shared",
      "#### Source",
      "#### UrlSource",
      "## example.com/v2",
      "### Resource Types",
      "#### Game",
      "#### GameSpec",
      "#### Shared",
      "## other.example.com/v1",
      "### Resource Types",
      "#### Game",
      "#### GameSpec",
    ]);
    expect(section(page, `gamestatus-${v1}`)).toBe(`#### GameStatus

_Appears in:_

- [Game](#game-${v1})

| Field | Description | Default | Validation |
| --- | --- | --- | --- |
| \`ready\` _boolean_ |  |  |  |`);
    expect(section(page, "example.com-v1")).toContain("Package v1 contains the `games` API.");
  });

  it("rule 1: the keys of the configuration omit types, fields and versions, and link to other documentation", async () => {
    const config = `processor:
  ignoreTypes: ["^api/v1\\\\.GameStatus$", "Source$"]
  ignoreFields: ['GameSpec\\.size$', "\\\\.paused$"]
  ignoreGroupVersions: ["^other\\\\."]
render:
  kubernetesVersion: 1.30
  knownTypes:
  - { name: Secret, package: api/common, link: https://example.com/secret }
  - { name: PodSpec, package: k8s.io/api/core/v1, link: https://example.com/pods }
`;
    const { page, diagnostics } = await run({ ...referenceProject, "docs/api/config.yaml": config });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(page).not.toMatch(/#### (?:GameStatus|\w*Source)|other\.example\.com|`size`|`status` _|`paused`|`source`/);
    expect(row(page, `gamespec-${v1}`, "external")[0]).toBe("`external` _[Secret](https://example.com/secret)_");
    expect(row(page, `gamespec-${v1}`, "pod")[0]).toBe("`pod` _[PodSpec](https://example.com/pods)_");
    expect(page).toContain(
      "kubernetes-api/v1.30/#quantity-resource-core".replace("quantity-resource-core", "objectmeta-v1-meta"),
    );
    expect(page).not.toContain("#### Secret");
  });

  it.each([
    ["processor: { maxDepth: 3 }", "warning unknown-apidocs-key the key processor.maxDepth has no effect"],
    ["render: { templates: x }", "warning unknown-apidocs-key the key render.templates has no effect"],
    ["other: 1", "warning unknown-apidocs-key the key other has no effect"],
    [
      "processor: { ignoreTypes: ['('] }",
      'error bad-apidocs-config ignoreTypes: "(" isn\'t a valid regular expression',
    ],
    ["processor: { ignoreFields: x }", "error bad-apidocs-config ignoreFields must be a list of regular expressions"],
    ["render: { kubernetesVersion: x }", "error bad-apidocs-config kubernetesVersion must be a version"],
    ["render: { knownTypes: [{ name: a }] }", "error bad-apidocs-config knownTypes must be a list of objects"],
    [
      "render: { knownTypes: [{ name: a, package: b, link: 'javascript:alert(1)' }] }",
      "error bad-apidocs-config knownTypes: the link of a must begin with https://",
    ],
    ["- a", "error bad-apidocs-config the file must contain the keys processor and render"],
    ["a: [", "error bad-apidocs-config "],
  ])("rule 1: a configuration with %j is one diagnostic", async (text, expected) => {
    const { diagnostics, files } = await run(
      { ...referenceProject, "docs/api/config.yaml": text },
      "apidocs paths=./other/v1",
    );
    const shown = diagnostics.map(({ severity, id, message }) => `${severity} ${id} ${message}`);
    expect(shown).toEqual([expect.stringContaining(expected)]);
    expect(files.size).toBe(expected.startsWith("error") ? 0 : 1);
  });

  it("rule 1: the settings in the guide are valid", async () => {
    const guide = readFileSync(new URL("../../../docs/guides/api-reference.md", import.meta.url), "utf8");
    const [, config = ""] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];
    const { diagnostics } = await run(
      { ...referenceProject, "docs/api/config.yaml": config },
      "apidocs paths=./other/v1",
    );
    expect(config).toContain("knownTypes:");
    expect(diagnostics).toEqual([]);
  });

  it("rule 1: config= names another file, which must exist", async () => {
    const files = { ...referenceProject, "hack/docs.yaml": "processor: { ignoreTypes: [Status] }" };
    expect((await run(files, "apidocs:config=hack/docs.yaml paths=./...")).page).not.toContain("#### GameStatus");
    const { diagnostics } = await run(files, "apidocs:config=hack/no.yaml paths=./...");
    expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([
      "the file hack/no.yaml of apidocs:config= doesn't exist",
    ]);
  });

  it("rule 1: types and fields with @internal are omitted, with the fields of such a type", async () => {
    const { page } = await run(referenceProject);
    expect(page).not.toMatch(/hidden|Hidden|`secret`|internal/);
  });

  it("rule 2: fields are in source order, after the inherited ones, and types are sorted below their kinds", async () => {
    const { page } = await run(referenceProject);
    const names = [...section(page, `gamespec-${v1}`).matchAll(/^\| `([^`]+)` _/gm)].map(([, name]) => name);
    expect(names).toEqual([
      "paused",
      "replicas",
      "name",
      "size",
      "mode",
      "start",
      "ports",
      "ports[].name",
      "ports[].port",
      "labels",
      "pod",
      "pull",
      "source",
      "other",
      "box",
      "external",
      "free",
      "free.text",
    ]);
    expect(page).not.toContain("#### Base");
    expect(row(page, `gamespec-${v1}`, "paused")[1]).toBe("Paused stops it.");
  });

  it("rule 3: a kind has its scope, names, subresources, columns, deprecation, storage version and sample", async () => {
    const { page } = await run(referenceProject);
    expect(section(page, `game-${v1}`)).toContain(`Game is a game.

- Resource: \`games.example.com\`
- Scope: Cluster
- Short names: \`g\`, \`gm\`
- Categories: \`all\`
- Subresources: \`status\`, \`scale\`
- Printed columns: Mode (The &#124; mode; only with -o wide) \`.spec.mode\`
- Storage version: yes

| Field`);
    expect(section(page, `game-${v1}`)).toContain(`_Sample:_

\`\`\`yaml
apiVersion: example.com/v1
kind: Game
metadata:
  name: sample # a comment
\`\`\``);
    const second = section(page, "game-v2-example.com");
    expect(second).toContain("- Deprecated: use v1\n");
    expect(second).toContain("- Storage version: no\n- Served: no\n");
    expect(row(page, `game-${v1}`, "apiVersion").slice(0, 2)).toEqual(["`apiVersion` _string_", "`example.com/v1`"]);
    expect(row(page, `game-${v1}`, "metadata")[0]).toContain("/v1.37/#objectmeta-v1-meta)_");
  });

  it("rule 4: Validation has all rules, and optional fields have no entry for that", async () => {
    const { page } = await run(referenceProject);
    const validation = (field: string) => row(page, `gamespec-${v1}`, field)[3];
    expect(validation("replicas")).toBe("Required<br />Minimum: `0` (exclusive)");
    expect(validation("name")).toBe("MaxLength: `63`<br />Pattern: <code>&#94;a&#124;b&#36;</code>");
    expect(validation("size")).toBe("Immutable");
    expect(validation("ports")).toBe("ListType: `map`<br />ListMapKey: `name`");
    expect(validation("ports[].port")).toBe("Required<br />Maximum: `65535`<br />Minimum: `1`");
    expect(validation("mode")).toBe("Required<br />Enum: `Allow, Deny`");
    expect(validation("paused")).toBe("");
    expect(row(page, `gamespec-${v1}`, "replicas")[2]).toBe("`1`");
    expect(section(page, `gamespec-${v1}`)).toContain("- Rule: `self.replicas > 0 || has(self.name)` (a &#124; b)\n");
    expect(section(page, `port-${v1}`)).toContain(
      "_Underlying type:_ _integer_\n\n_Validation:_\n\n- Maximum: `65535`\n- Minimum: `1`",
    );
  });

  it("rule 5: enums have a table of values, and unions list their members", async () => {
    const { page } = await run(referenceProject);
    expect(section(page, `mode-${v1}`)).toContain(`| Value | Description |
| --- | --- |
| \`Allow\` | Allow runs \\*all\\* of it. |
| \`Deny\` | Deny runs none of it. |`);
    expect(row(page, `gamespec-${v1}`, "start")[1]).toBe(
      "**Deprecated:** use mode<br /><br />How to start.<ul><li>`Now`: At once.</li><li>`Later`: When asked.</li></ul>",
    );
    const members = `_One of:_

- _[FileSource](#filesource-${v1})_
- _[UrlSource](#urlsource-${v1})_
`;
    expect(section(page, `source-${v1}`)).toContain(members);
    expect(row(page, `gamespec-${v1}`, "other")[0]).toBe(
      `\`other\` _[FileSource](#filesource-${v1}) &#124; [UrlSource](#urlsource-${v1})_`.split("|")[0],
    );
  });

  it("rule 5: core types link to the reference of Kubernetes", async () => {
    const { page } = await run(referenceProject);
    const type = (field: string) => row(page, `gamespec-${v1}`, field)[0];
    const base = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/";
    expect(type("pod")).toBe(`\`pod\` _[PodSpec](${base}#podspec-v1-core)_`);
    expect(type("size")).toBe(`\`size\` _[Quantity](${base}#quantity-resource-core)_`);
    // A string has no section there.
    expect(type("pull")).toBe("`pull` _PullPolicy_");
  });

  it("rule 6: paragraphs are one line, and paragraphs, lists and code are kept in tables", async () => {
    const { page } = await run(referenceProject);
    expect(row(page, `gamespec-${v1}`, "replicas")[1]).toBe(
      "First line of a paragraph.<ul><li>one more of one</li><li>two<ul><li>`nested`</li></ul></li></ul><pre>a&#58; 1<br />b&#58; &#123;&#125;</pre>",
    );
    expect(section(page, `gamespec-${v1}`)).toContain(
      `GameSpec is the desired state.\n\nSee [Port](#port-${v1}), and [https://example.com/doc](https://example.com/doc).\n`,
    );
  });

  it("rule 8: types of other versions are linked, and those without a version are documented with each", async () => {
    const { page } = await run(referenceProject);
    expect(row(page, "gamespec-v2-example.com", "port")[0]).toBe(`\`port\` _[Port](#port-${v1})_`);
    expect(row(page, "gamespec-v2-example.com", "shared")[0]).toBe("`shared` _[Shared](#shared-v2-example.com)_");
    expect(section(page, `port-${v1}`)).toContain("- [GameSpec](#gamespec-v2-example.com) in example.com/v2");
  });

  it.each(["single", "group"])(
    "rule 8: every link has its target, and anchors are unique, in mode %s",
    async (mode) => {
      const { files } = await run(referenceProject, `apidocs:format=markdown;html,mode=${mode} paths=./...`);
      const ids = new Map(
        [...files].map(([path, text]) => [path, [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
      );
      let links = 0;
      for (const [path, text] of files) {
        expect(new Set(ids.get(path)).size, path).toBe(ids.get(path)?.length);
        for (const [, markdown, html] of text.matchAll(/\]\(([^)\s]+)\)|href="([^"]+)"/g)) {
          const link = (markdown ?? html)!;
          if (link.startsWith("https://")) continue;
          const [file, id] = link.split("#");
          expect(ids.get(file === "" ? path : `docs/api/${file}`), `${path}: ${link}`).toContain(id);
          links++;
        }
      }
      expect(links).toBeGreaterThan(50);
      if (mode === "group") {
        expect([...files.keys()]).toEqual(
          ["example.com", "index", "other.example.com"].flatMap((name) => [
            `docs/api/${name}.html`,
            `docs/api/${name}.md`,
          ]),
        );
      }
    },
  );

  it("writes the same bytes again, without a path or a time, and with the generator crd", async () => {
    const alone = await run(referenceProject, "apidocs:format=html;markdown paths=./...");
    const both = await run(referenceProject, "crd:maxDescLen=0 apidocs:format=html;markdown paths=./...");
    for (const [path, text] of alone.files) {
      expect(both.files.get(path)).toBe(text);
      expect(text).not.toMatch(/\/tmp\/|\/dev\/shm\/|20\d\d-/);
    }
  });

  it("writes to the directory of its output rule, or to stdout, with another title", async () => {
    const { files } = await run(referenceProject, "apidocs:title=Games paths=./api/... output:apidocs:dir=site");
    expect([...files.keys()]).toEqual(["site/index.md"]);
    expect(files.get("site/index.md")).toContain("\n# Games\n");
    const { plan } = await run(referenceProject, "apidocs paths=./api/... output:stdout");
    expect(plan.stdout).toContain("# API Reference");
  });

  it("a kind with an error has no page, and problems are reported once", async () => {
    const types = "api/v1/game-types.ts";
    const broken = {
      ...referenceProject,
      [types]: referenceProject[types]!.replace("ready?: boolean", "ready?: Date"),
    };
    const { diagnostics, plan } = await run(broken, "crd apidocs paths=./api/...");
    expect(diagnostics.filter(({ severity }) => severity === "error").map(({ id }) => id)).toEqual([
      "unsupported-type",
    ]);
    expect(plan.writes).toEqual([]);
  });
});

describe("apidocs options", () => {
  it.each([
    ["apidocs:format=pdf", 'apidocs:format must be markdown, html or markdown;html, not "pdf"'],
    ["apidocs:mode=kind", 'apidocs:mode must be single or group, not "kind"'],
  ])("%s is refused", async (option, message) => {
    expect(() => requestOf("/", [option, "paths=./..."])).toThrow(message);
  });
});
