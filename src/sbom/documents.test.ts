import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BundledModule } from "./bundled-packages.ts";
import { describeBundle } from "./documents.ts";

const tool = { name: "kubewright", version: "1.0.0", license: "Apache-2.0" };
/** The validator compiles the schema for its first document, which takes longer than a test. */
const validator = new JsonStrictValidator(Version.v1dot6);
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-sbom-"));
  write("package.json", { name: "operator", version: "0.0.0", private: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
}

/** Writes a package, by default with a license text. */
function install(name: string, manifest: object = {}, texts: Record<string, string> = { LICENSE: `${name}'s text` }) {
  write(`node_modules/${name}/package.json`, { name, version: "1.2.3", license: "MIT", ...manifest });
  for (const [file, text] of Object.entries(texts)) write(`node_modules/${name}/${file}`, text);
}

const module = (path: string, ...imports: string[]): BundledModule => ({
  file: join(root, path),
  included: true,
  imports: imports.map((each) => join(root, each)),
});

interface Document {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp?: string; readonly component: object };
  readonly components?: readonly {
    readonly purl: string;
    readonly group?: string;
    readonly name: string;
    readonly licenses?: readonly object[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

async function describeValid(modules: readonly BundledModule[], env: NodeJS.ProcessEnv = {}) {
  const { files, warnings } = describeBundle(root, modules, tool, env);
  const [sbom = "", licenses = ""] = files.values();
  expect(await validator.validate(sbom)).toBeNull();
  return { sbom, document: JSON.parse(sbom) as Document, licenses, warnings };
}

describe("the bill of materials", () => {
  it("lists exactly the packages with code in the bundle, and their dependencies", async () => {
    install("left");
    install("@scope/right", { license: "Apache-2.0" });
    install("unused");
    const modules = [
      module("src/main.ts", "src/part.ts", "node_modules/left/index.js"),
      module("src/part.ts"),
      module("node_modules/left/index.js", "node_modules/@scope/right/lib/a.js", "node_modules/unused/index.js"),
      module("node_modules/@scope/right/lib/a.js", "node_modules/@scope/right/lib/b.js"),
      module("node_modules/@scope/right/lib/b.js"),
      { ...module("node_modules/unused/index.js"), included: false },
    ];
    const { document, warnings } = await describeValid(modules);
    const [right, left] = ["pkg:npm/%40scope/right@1.2.3", "pkg:npm/left@1.2.3"];
    expect(document.components).toMatchObject([
      { purl: right, group: "@scope", name: "right", licenses: [{ license: { id: "Apache-2.0" } }] },
      { purl: left, name: "left", licenses: [{ license: { id: "MIT" } }] },
    ]);
    expect(document.dependencies).toEqual([
      { ref: "operator", dependsOn: [left] },
      { ref: right },
      { ref: left, dependsOn: [right] },
    ]);
    expect(document.metadata.component).toMatchObject({ type: "application", name: "operator" });
    expect(warnings).toEqual([]);
  });

  it("finds a package by the nearest package.json with a name and a version", async () => {
    install("dual");
    write("node_modules/dual/dist/esm/package.json", { type: "module" });
    write("node_modules/dual/node_modules/nested/package.json", { name: "nested", version: "2.0.0", license: "ISC" });
    write("node_modules/dual/node_modules/nested/LICENSE.md", "nested's text");
    const { document } = await describeValid([
      module("node_modules/dual/dist/esm/index.js"),
      module("node_modules/dual/node_modules/nested/index.js"),
    ]);
    expect(document.components?.map(({ purl }) => purl)).toEqual(["pkg:npm/dual@1.2.3", "pkg:npm/nested@2.0.0"]);
  });

  it("includes a workspace package, which isn't in node_modules", async () => {
    write("operator/package.json", { name: "operator", version: "0.0.0" });
    write("shared/package.json", { name: "@acme/shared", version: "0.1.0", private: true, license: "MIT" });
    write("shared/LICENSE", "text");
    const modules = [module("operator/src/main.ts", "shared/index.ts"), module("shared/index.ts")];
    const { files } = describeBundle(join(root, "operator"), modules, tool, {});
    const { components } = JSON.parse(files.get("sbom.cdx.json") ?? "") as Document;
    // The package isn't in a registry.
    expect(components).toMatchObject([{ group: "@acme", name: "shared" }]);
    expect(components?.[0]).not.toHaveProperty("purl");
  });

  it.each([
    ["MIT", { license: { id: "MIT" } }],
    ["apache-2.0", { license: { id: "Apache-2.0" } }],
    ["(MIT OR Apache-2.0)", { expression: "(MIT OR Apache-2.0)" }],
    ["MIT AND (CC0-1.0 OR GPL-2.0+ WITH Classpath-exception-2.0)", "same"],
    ["LicenseRef-own OR MIT", "same"],
    ["MIT OR", "name"],
    ["MIT Apache-2.0", "name"],
    ["(MIT", "name"],
    ["SEE LICENSE IN LICENSE.txt", "name"],
    ["UNLICENSED", "name"],
  ])("contains the license %s in a form that the schema allows", async (license, expected) => {
    install("left", { license });
    const { document } = await describeValid([module("node_modules/left/index.js")]);
    const forms = { same: { expression: license }, name: { license: { name: license } } };
    expect(document.components?.[0]?.licenses).toMatchObject([
      typeof expected === "string" ? forms[expected as keyof typeof forms] : expected,
    ]);
  });

  it("is valid for any content of package.json files", async () => {
    install("odd", { license: 7, author: ["x"], repository: 1, bugs: { url: 3 }, homepage: "not a url", engines: "x" });
    install("old", { license: undefined, licenses: [{ type: "MIT", url: "https://example.com" }, "x"] });
    install("object", { license: { type: "BSD" } });
    const names = ["odd", "old", "object"];
    const { document, licenses } = await describeValid(names.map((name) => module(`node_modules/${name}/index.js`)));
    expect(document.components?.map(({ name }) => name)).toEqual(names.sort());
    expect(licenses).toContain("object 1.2.3 (BSD)");
    expect(licenses).toContain("odd 1.2.3 (no license stated)");
    expect(licenses).toContain("old 1.2.3 (MIT, x)");
  });

  it("is valid without packages", async () => {
    const { document, licenses } = await describeValid([module("src/main.ts")]);
    expect(document.components ?? []).toEqual([]);
    expect(licenses).toBe("The bundle contains no code of other packages.\n");
  });

  it("depends only on the contents, not on their order", async () => {
    install("left");
    install("right");
    const modules = [module("node_modules/left/index.js"), module("node_modules/right/index.js")];
    const first = await describeValid(modules);
    expect((await describeValid(modules.toReversed())).sbom).toBe(first.sbom);
    expect(first.document.metadata).not.toHaveProperty("timestamp");
    expect(first.document.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    const other = await describeValid(modules.slice(1));
    expect(other.document.serialNumber).not.toBe(first.document.serialNumber);
  });

  it("contains a time only if SOURCE_DATE_EPOCH is set", async () => {
    const time = async (SOURCE_DATE_EPOCH: string) =>
      (await describeValid([module("src/main.ts")], { SOURCE_DATE_EPOCH })).document.metadata.timestamp;
    expect(await time("1700000000")).toBe("2023-11-14T22:13:20.000Z");
    for (const invalid of ["", "-1", "1e9", "99999999999999", "soon"]) expect(await time(invalid)).toBeUndefined();
  });
});

describe("the license texts", () => {
  it("include all license and notice files of each package, once per version", async () => {
    install(
      "left",
      {},
      { "LICENSE.md": "left's license\n", NOTICE: "left's notice", "license.js": "code", COPYING: "c" },
    );
    install("right");
    const modules = ["left/a.js", "left/b.js", "right/a.js"].map((path) => module(`node_modules/${path}`));
    const { licenses, warnings } = await describeValid(modules);
    expect(warnings).toEqual([]);
    expect(licenses).toBe(`The bundle contains code of the following packages.

left 1.2.3 (MIT)

c

left's license

left's notice

${"-".repeat(80)}

right 1.2.3 (MIT)

right's text
`);
  });

  it("contain the MIT license of a package whose notice is only in its readme", async () => {
    install("left", {}, { "README.md": "# left\n\n## License\n\nCopyright 2014 A. Author.\n\n## More\n\ntext\n" });
    const { licenses, warnings } = await describeValid([module("node_modules/left/a.js")]);
    expect(warnings).toEqual([]);
    expect(licenses).toMatch(/left 1\.2\.3 \(MIT\)\n\nCopyright 2014 A\. Author\.\n\nPermission is hereby granted/);
    expect(licenses).not.toContain("More");
  });

  it("cause warnings with the packages' names if they are missing, and for modules without a package", async () => {
    install("bare", { license: "ISC" }, {});
    install("noticed", {}, { NOTICE: "no license" });
    const outside = join(dirname(root), "outside.js");
    const modules = [module("node_modules/bare/a.js"), module("node_modules/noticed/a.js")];
    const { licenses, warnings } = await describeValid([...modules, { file: outside, included: true, imports: [] }]);
    expect(warnings).toEqual([
      "no license text found: bare 1.2.3 (ISC)",
      "no license text found: noticed 1.2.3 (MIT)",
      `no package.json found for a bundled module: ${outside}`,
    ]);
    expect(licenses).toContain("bare 1.2.3 (ISC)\n\nThis package contains no license text.\n");
  });
});
