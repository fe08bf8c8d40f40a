import { expect, test } from "vitest";
import { parseOptions } from "./parse-options.ts";

const config = (...options: string[]) => {
  const parsed = parseOptions(options);
  expect(parsed.problems).toEqual([]);
  return parsed.config!;
};
const errors = (...options: string[]) => {
  const parsed = parseOptions(options);
  expect(parsed.config).toBeUndefined();
  return parsed.problems;
};

test("parseOptions reads the options of the scaffolded Makefile", () => {
  expect(
    config(
      "rbac:roleName=manager-role",
      "crd",
      "webhook",
      "paths=./...",
      "output:crd:artifacts:config=config/crd/bases",
    ),
  ).toEqual({
    paths: ["./..."],
    generators: {
      rbac: { roleName: "manager-role", fileName: "role.yaml", year: "" },
      crd: {
        ignoreUnexportedFields: false,
        allowDangerousTypes: false,
        generateEmbeddedObjectMeta: false,
        omitToolVersion: false,
        year: "",
      },
      webhook: { year: "" },
    },
    output: {
      rbac: { kind: "artifacts", config: "config/rbac" },
      crd: { kind: "artifacts", config: "config/crd/bases" },
      webhook: { kind: "artifacts", config: "config/webhook" },
    },
  });
});

test("parseOptions reads every option of crd", () => {
  const options = config(
    'crd:maxDescLen=0,allowDangerousTypes=true,crdVersions={v1},generateEmbeddedObjectMeta=true,headerFile="hack/a b.txt",year=2026,ignoreUnexportedFields=true,omitToolVersion=true,deprecatedV1beta1CompatibilityPreserveUnknownFields=false',
  );
  expect(options.generators.crd).toEqual({
    maxDescLen: 0,
    allowDangerousTypes: true,
    generateEmbeddedObjectMeta: true,
    headerFile: "hack/a b.txt",
    year: "2026",
    ignoreUnexportedFields: true,
    omitToolVersion: true,
    preserveUnknownFields: false,
  });
});

test("parseOptions adds the paths of all options, in both list formats and with quotes", () => {
  expect(config("crd", "paths=./a;./b", "+paths={./c,./d}", 'paths="./..."').paths).toEqual([
    "./a",
    "./b",
    "./c",
    "./d",
    "./...",
  ]);
});

test("parseOptions uses a generator's output rule before the default one, and the last of each kind", () => {
  const { output } = config(
    "crd",
    "webhook",
    "rbac:roleName=x",
    "output:stdout",
    "output:dir=out",
    "output:webhook:none",
    "output:rbac:artifacts:config=c,code=d",
  );
  expect(output).toEqual({
    crd: { kind: "dir", directory: "out" },
    webhook: { kind: "none" },
    rbac: { kind: "artifacts", config: "c", code: "d" },
  });
});

test("parseOptions reads the options of the other generators", () => {
  const { generators } = config(
    "schemapatch:manifests=./crds,maxDescLen=20",
    "object:headerFile=hack/boilerplate.go.txt",
    "applyconfiguration",
  );
  expect(generators).toEqual({
    schemapatch: { manifests: "./crds", maxDescLen: 20, generateEmbeddedObjectMeta: false },
    object: {},
    applyconfiguration: {},
  });
});

test.each([
  [[], "no generators specified", expect.stringContaining("crd, rbac")],
  [["paths=./..."], "no generators specified", expect.any(String)],
  [["cdr"], 'unknown option "cdr"', "did you mean `crd`?"],
  [["crd", "path=./..."], 'unknown option "path=./..."', "did you mean `paths`?"],
  [
    ["crd", "output:crd:artifact:config=x"],
    'unknown option "output:crd:artifact:config=x"',
    "did you mean `output:crd:artifacts`?",
  ],
  [["crd", ""], 'unknown option ""', undefined],
  [["crd", "a/".repeat(3000)], `unknown option "${"a/".repeat(28)}a..."`, undefined],
  [["rbac"], 'unable to parse option "rbac": missing argument "roleName"', undefined],
  [
    ["crd:maxDescLength=1"],
    'unable to parse option "crd:maxDescLength=1": unknown argument "maxDescLength"',
    "did you mean `maxDescLen`?",
  ],
  [
    ["crd:allowDangerousTypes"],
    'unknown option "crd:allowDangerousTypes"',
    "did you mean `crd:allowDangerousTypes=true`?",
  ],
  [["rbac:manager-role"], 'unknown option "rbac:manager-role"', "did you mean `rbac:roleName=manager-role`?"],
  [
    ["crd:trivialVersions=true"],
    'unable to parse option "crd:trivialVersions=true": unknown argument "trivialVersions"',
    expect.stringContaining("valid arguments: ignoreUnexportedFields, allowDangerousTypes"),
  ],
  [
    ["crd:allowDangerousTypes=yes"],
    'unable to parse option "crd:allowDangerousTypes=yes": expected true or false, got "yes"',
    "use `allowDangerousTypes=true` or `allowDangerousTypes=false`",
  ],
  [["crd:maxDescLen=x"], 'unable to parse option "crd:maxDescLen=x": expected integer, got "x"', undefined],
  [["crd", "crd:year=1"], "multiple instances of 'crd' generator specified", undefined],
  [["crd", "output:rbac:stdout"], 'non-invoked generator "rbac"', "add the option `rbac`"],
  [["crd:crdVersions=v1beta1"], 'apiVersion "apiextensions.k8s.io/v1beta1" is not supported', undefined],
])("parseOptions rejects %j", (options, message, hint) => {
  expect(errors(...options)).toEqual([{ severity: "error", message, ...(hint === undefined ? {} : { hint }) }]);
});

test("parseOptions reports all errors at once", () => {
  expect(errors("cdr", "rbac").map((problem) => problem.message)).toEqual([
    'unknown option "cdr"',
    'unable to parse option "rbac": missing argument "roleName"',
  ]);
});

test("parseOptions warns about a value that the grammar drops", () => {
  const { config: parsed, problems } = parseOptions(["rbac:roleName=manager role ,year=1"]);
  expect(parsed?.generators.rbac?.roleName).toBe("manager ");
  expect(problems).toMatchObject([{ severity: "warning", message: expect.stringContaining('"role" is lost') }]);
});
