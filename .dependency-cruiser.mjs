// Enforces the layer rules of the architecture. Data flows one way, and later layers must not import earlier ones.

const tests = "\\.test\\.ts$|/testdata/|/test-support/";

/** Forbids files under `from` to import anything under `to`. */
function never(name, comment, from, to, except = []) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: from, pathNot: [tests, ...except] },
    to: { path: to },
  };
}

/** Forbids imports of a folder's modules from outside, tests included, except of its entry points. */
function entryPoint(name, folder, ...entries) {
  return {
    name,
    comment: "Code outside the folder doesn't depend on how it is divided into modules.",
    severity: "error",
    from: { pathNot: `^${folder}/` },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${entries.join("|")})\\.ts$` },
  };
}

/** The folders of the API server by layers, from the base. Those of one layer are independent. CONTRIBUTING.md contains the list, too. */
export const apiserverLayers = [
  ["data", "model", "process", "table", "validation"],
  ["apply", "crd", "expressions", "patch", "request", "storage"],
  ["builtin", "http", "registry", "webhook"],
  ["admission", "client", "discovery"],
  ["controllers", "custom-resources", "subresources"],
  ["access", "openapi"],
  ["handler"],
  ["engine"],
  ["start", "unit-test"],
  ["server"],
  ["cli"],
];

const apiserverRules = apiserverLayers.flatMap((layer, index) => {
  const below = apiserverLayers.slice(0, index).flat();
  return layer.map((folder) =>
    never(
      `apiserver-${folder}`,
      "Each folder imports only folders of the layers below its own.",
      `^packages/apiserver/src/${folder}/`,
      `^packages/apiserver/src/(?!(${[folder, ...below].join("|")})/)`,
      ["\\.fixture\\.ts$"],
    ),
  );
});

export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "A cycle has no first file to read.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolved",
      comment: "An import that leads nowhere fails only when it runs.",
      severity: "error",
      from: { path: "^(src|packages/runtime/src)/" },
      to: { couldNotResolve: true },
    },
    never(
      "compiler-behind-source",
      "TypeScript 7 has no stable API: the reader's back end must stay replaceable.",
      "^(src|packages/runtime/src)/",
      "node_modules/(ts-morph|typescript)/|^(ts-morph|typescript)$",
      ["^src/generate/source/", "^src/scaffold/code/"],
    ),
    never(
      "mcp-without-cli",
      "Tools run commands as processes, so that they can be cancelled.",
      "^src/mcp/",
      "^src/cli/",
    ),
    never(
      "mcp-on-demand",
      "Only its command loads the protocol. The others contain the name of a variable.",
      "^src/(?!mcp/|cli/commands/mcp\\.ts$)",
      "^src/mcp/(?!embedded\\.ts$)",
    ),
    never(
      "sbom-alone",
      "Projects import it while they build: it must not load the command line.",
      "^src/sbom/",
      "^src/(?!sbom/|cli/framework/version)",
    ),
    never(
      "input-alone",
      "Readers and printers of foreign text serve every layer.",
      "^src/(yaml|regex|text)/",
      "^src/(?!(yaml|regex|text)/)",
    ),
    never(
      "kubernetes-alone",
      "The rules of Kubernetes' API serve the scaffolder and the generator.",
      "^src/kubernetes/",
      "^src/(?!kubernetes/)",
    ),
    never("programs-alone", "Programs of every layer run there.", "^src/programs/", "^src/(?!programs/)"),
    never(
      "programs-in-one-place",
      "How programs are started, stopped and limited is decided once. Only processes that a session of dev talks to are its own.",
      "^src/(?!programs/|dev/(manager/manager-process|build/warm-compiler|view/open-browser)\\.ts$)",
      "node_modules/execa/|^execa$|^(node:)?child_process$",
    ),
    {
      name: "packages-apart",
      comment:
        "The command line contains of the runtime and the API server only what hides Secrets, finds the writers of objects and identifies processes.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: {
        path: "^packages/(runtime/(?!src/(secrets|kstatus|managed-fields)/index\\.ts$)|apiserver/(?!src/process/index\\.ts$))",
        dependencyTypesNot: ["type-only"],
      },
    },
    never(
      "cel-for-lints",
      "Only lints and policies check CEL rules; other commands need the YAML reader and durations alone.",
      "^src/(?!generate/(?:lint|policy)/)",
      "^packages/cel/src/(?!(?:yaml|duration)/index\\.ts$)",
    ),
    never(
      "cel-alone",
      "All packages contain this code: it depends on none of them.",
      "^packages/cel/src/",
      "^(src|packages/(?!cel/))",
    ),
    {
      name: "cel-in-browsers",
      comment: "It runs in browsers, too.",
      severity: "error",
      from: { path: "^packages/cel/src/", pathNot: tests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "packages-by-name",
      comment: "Paths never lead out of a package: others are imported by their names.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^(src|packages)/", pathNot: "^packages/$1/", dependencyTypesNot: ["aliased"] },
    },
    {
      name: "command-line-by-name",
      comment: "The command line is a package, too.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^packages/", dependencyTypesNot: ["aliased"] },
    },
    never(
      "runtime-alone",
      "The runtime is a package of its own.",
      "^packages/runtime/src/",
      "^(src|packages/dashboard)/",
    ),
    never(
      "apiserver-for-tests",
      "Only test support and plans use the embedded API server: an operator contains nothing of it.",
      "^packages/runtime/src/(?!envtest/|testing/|simulation/|plan/)",
      "^packages/apiserver/",
    ),
    never(
      "dashboard-alone",
      "The dashboard runs in a browser, and defines the messages of its session.",
      "^packages/dashboard/src/",
      "^(src/|packages/(?!dashboard/|runtime/src/(secrets|dev)/index\\.ts$))",
    ),
    {
      name: "dashboard-types",
      comment: "The messages of a manager are types of the runtime, whose code doesn't run in a browser.",
      severity: "error",
      from: { path: "^packages/dashboard/src/" },
      to: { path: "^packages/runtime/src/dev/", dependencyTypesNot: ["type-only"] },
    },
    never(
      "dashboard-served",
      "The session serves the built page; other code imports only the messages.",
      "^(src|packages/runtime|packages/apiserver)/",
      "^packages/dashboard/(?!src/protocol/index\\.ts$)",
    ),
    never(
      "dashboard-messages",
      "The session and its page share the messages: they depend on neither of them.",
      "^packages/dashboard/src/protocol/",
      "^packages/dashboard/src/(?!protocol/)|node_modules/preact/",
    ),
    never(
      "dashboard-models",
      "The models are functions of data: they import neither components nor requests.",
      "^packages/dashboard/src/model/",
      "^packages/dashboard/src/(?!(model|protocol)/)|node_modules/preact/",
    ),
    never(
      "dashboard-state",
      "The state of the page depends on no component.",
      "^packages/dashboard/src/state/",
      "^packages/dashboard/src/(ui|views)/",
    ),
    never(
      "dashboard-parts",
      "Views are made of parts, not the other way round.",
      "^packages/dashboard/src/ui/",
      "^packages/dashboard/src/views/",
    ),
    {
      name: "package-entry-points",
      comment: "Packages use the exports of other packages, not their modules.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/[^/]+/",
        pathNot: ["^packages/$1/", "^packages/[^/]+/src/index\\.ts$", "^packages/[^/]+/src/[^/]+/index\\.ts$"],
      },
    },
    never(
      "apiserver-alone",
      "The embedded API server is a package of its own.",
      "^packages/apiserver/src/",
      "^(src|packages/(runtime|dashboard))/",
    ),
    ...apiserverRules,
    never(
      "cli-is-the-top",
      "argv → resource model → plan → apply → report.",
      "^src/(diagnostics|project|scaffold|generate|tasks|dev)/",
      "^src/cli/",
    ),
    never(
      "project-is-a-model",
      "The resource model doesn't depend on commands, templates or files.",
      "^src/project/",
      "^src/(scaffold|generate)/",
    ),
    never(
      "tasks-alone",
      "Tasks run programs; the command line calls the scaffolder and the generator for them.",
      "^src/tasks/",
      "^src/(scaffold|generate|dev)/",
    ),
    never(
      "scaffold-or-generate",
      "Templates and documents have nothing to do with each other.",
      "^src/scaffold/",
      "^src/generate/",
    ),
    never("generate-alone", "The generator runs outside projects too.", "^src/generate/", "^src/(scaffold|project)/"),
    never(
      "diagnostics-are-data",
      "All layers may report; the report depends on none of them.",
      "^src/diagnostics/",
      "^src/(?!diagnostics/|text/)",
    ),
    never(
      "source-first",
      "files → source model → markers → schema → documents → output.",
      "^src/generate/source/",
      "^src/generate/(markers|schema|crd|rbac|webhook|output)/",
    ),
    never(
      "markers-second",
      "The effects of markers change plain data of the Kubernetes API, and don't depend on what creates the data.",
      "^src/generate/markers/",
      "^src/generate/(schema|crd|rbac|webhook|output)/",
    ),
    never(
      "schema-third",
      "Schemas know nothing of the documents that hold them.",
      "^src/generate/schema/",
      "^src/generate/(crd|rbac|webhook|output)/",
    ),
    never(
      "lints-last",
      "Lints look at what is finished; nothing that makes documents waits for them.",
      "^src/generate/(source|markers|schema|crd|rbac|webhook|output|packages|options)/",
      "^src/generate/lint/",
    ),
    never(
      "monitoring-apart",
      "Alerts describe the code that runs, not the CRDs.",
      "^src/generate/monitoring/",
      "^src/generate/(crd|rbac|webhook|schema|lint|jsonschema|schemapatch)/",
    ),
    never(
      "policies-apart",
      "Policies are checked with finished CRDs: no other generator depends on them, and they depend on none.",
      "^src/generate/policy/",
      "^src/generate/(rbac|webhook|lint|jsonschema|schemapatch|monitoring|apidocs)/",
    ),
    never(
      "policies-last",
      "Only the list of generators loads the policies.",
      "^src/generate/(?!policy/|generators/)",
      "^src/generate/policy/",
    ),
    never(
      "reference-last",
      "The API reference describes finished CRDs and their types: nothing that generates them depends on it.",
      "^src/generate/(?!apidocs/|generators/)",
      "^src/generate/apidocs/",
    ),
    never(
      "reference-apart",
      "One folder a generator.",
      "^src/generate/apidocs/",
      "^src/generate/(rbac|webhook|lint|jsonschema|schemapatch|monitoring)/",
    ),
    never(
      "descriptions-last",
      "JSON Schemas describe finished CRDs: nothing that generates CRDs depends on them.",
      "^src/generate/(?!jsonschema/|generators/)",
      "^src/generate/jsonschema/",
    ),
    never("documents-apart", "One folder a generator.", "^src/generate/crd/", "^src/generate/(rbac|webhook|output)/"),
    never(
      "documents-apart-rbac",
      "One folder a generator.",
      "^src/generate/rbac/(?!verify/)",
      "^src/generate/(crd|webhook|schema|output)/|^src/generate/rbac/verify/",
    ),
    never(
      "documents-apart-webhook",
      "One folder a generator.",
      "^src/generate/webhook/",
      "^src/generate/(crd|rbac|schema|output)/",
    ),
    never(
      "documents-apart-schemapatch",
      "Kinds and schemas are shared with the CRDs, and text style with all output.",
      "^src/generate/schemapatch/",
      "^src/generate/(rbac|webhook|output/(?!yaml))",
    ),
    never(
      "runtime-base",
      "Errors, JSON and logs are what all else stands on.",
      "^packages/runtime/src/(errors|json)/",
      "^packages/runtime/src/(?!errors/|json/|api/)",
    ),
    never(
      "transport-low",
      "The transport depends neither on clients nor on controllers.",
      "^packages/runtime/src/(config|transport)/",
      "^packages/runtime/src/(client|discovery|cache|controller|manager|builder|queue)/",
    ),
    never(
      "client-below-cache",
      "Clients work without a cache.",
      "^packages/runtime/src/(client|discovery)/",
      "^packages/runtime/src/(cache|controller|manager|builder|queue)/",
    ),
    never(
      "cache-below-controller",
      "Caches know no controllers.",
      "^packages/runtime/src/(cache|queue|handler|predicate)/",
      "^packages/runtime/src/(controller|manager|builder)/",
    ),
    never(
      "certs-low",
      "Servers of any kind take their certificates from there.",
      "^packages/runtime/src/certs/",
      "^packages/runtime/src/(?!certs/|log/)",
    ),
    never(
      "http-low",
      "The code that all servers share depends on none of them.",
      "^packages/runtime/src/http/",
      "^packages/runtime/src/(?!http/|log/)",
    ),
    never(
      "webhooks-alone",
      "Webhooks work without caches and controllers.",
      "^packages/runtime/src/webhook/",
      "^packages/runtime/src/(cache|queue|handler|predicate|source|controller|manager|builder)/",
      ["\\.fixture\\.ts$"],
    ),
    never(
      "test-tools-outside",
      "Test support and plans are never part of an operator.",
      "^packages/runtime/src/(?!envtest/|testing/|simulation/|plan/)",
      "^packages/runtime/(src/(envtest|testing|simulation|plan)|tests)/",
      ["\\.fixture\\.ts$"],
    ),
    entryPoint("chart-entry-point", "src/scaffold/chart", "plan"),
    entryPoint("kustomize-entry-point", "src/scaffold/kustomize", "switch", "resources", "build/build"),
    entryPoint("kustomize-build-entry-point", "src/scaffold/kustomize/build", "build"),
    {
      name: "e2e-outside",
      comment: "Acceptance tests use the packages as users do: the command line, and the runtime by its name.",
      severity: "error",
      from: { path: "^e2e/" },
      to: { path: "^(src|packages|bench|conformance)/", dependencyTypesNot: ["aliased"] },
    },
    {
      name: "exports-by-name",
      comment: "Benchmarks and comparisons import by name what packages export, and by path only their internals.",
      severity: "error",
      from: { path: "^(bench|conformance)/" },
      to: {
        path: [
          "^packages/[^/]+/src/index\\.ts$",
          "^packages/[^/]+/src/[^/]+/index\\.ts$",
          "^packages/runtime/src/api/",
        ],
        dependencyTypesNot: ["aliased"],
      },
    },
    {
      name: "test-tools-apart",
      comment: "Benchmarks, comparisons and acceptance tests share code only through scripts/.",
      severity: "error",
      from: { path: "^(bench|conformance)/" },
      to: { path: "^e2e/|^(bench|conformance)/", pathNot: "^$1/" },
    },
    {
      name: "shared-tools-alone",
      comment: "Code that all tests and scripts share must not lead back to the code that they test.",
      severity: "error",
      from: { path: "^scripts/(lib|test-support)/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(src|packages|bench|conformance|e2e)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(packages/runtime/)?dist/|/testdata/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
