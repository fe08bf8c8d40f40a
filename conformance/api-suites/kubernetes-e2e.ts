// Runs Kubernetes' end-to-end tests against the embedded API server with simulated workloads:
//   npx tsx conformance/api-suites/kubernetes-e2e.ts [DIRECTORY [FOCUS]]
// Needs a built checkout, Go, kubectl and Go's module proxy. DIRECTORY keeps the compiled tests for the next run, because
// compiling takes minutes. FOCUS selects tests by a regular expression. Not part of the tests: some tests wait for minutes.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { must } from "../../scripts/lib/run.mjs";
import { apiserverProgram, checkout } from "../../scripts/test-support/scaffold.ts";

/** Tests that need no running container. */
const possible = [
  "sig-api-machinery",
  "sig-instrumentation.*Events",
  "sig-auth.*(CSR API|lifecycle|root-ca|SubjectReview|update a Service|TokenReview)",
  "sig-node.*(ConfigMap should (fail|run|update)|Lease lease|PodTemplates|Secrets should (fail|patch))",
  "sig-scheduling.*(LimitRange|PriorityClass endpoints)",
  "sig-apps.*(scale subresource|Status endpoints|(RollingUpdate|Recreate)Deployment|rollover|old replica sets)",
  "sig-apps.*(DisruptionController should (create|observe|update)|CronJob should support)",
];

/** Tests of what the server leaves out, and tests that need a webhook in a container. */
const impossible = [
  "AdmissionWebhook|[Cc]onversion ?[Ww]ebhook|Aggregat|sample-apiserver|ResourceQuota|quota|StorageVersion",
  "CoordinatedLeader|lease candidate|type check|[Pp]riority and [Ff]airness|Feature:|\\[Slow\\]|Disruptive|Flaky",
];

const [given, focus = possible.join("|")] = process.argv.slice(2);
const directory = given === undefined ? mkdtempSync(join(tmpdir(), "kubewright-e2e-")) : resolve(given);
mkdirSync(directory, { recursive: true });
const program = join(directory, "e2e.test");
if (!existsSync(program)) await compile();
process.exitCode = await runTests();

/** Compiles the tests with the versions of Kubernetes' own modules that its go.mod takes from its repository. */
async function compile(): Promise<void> {
  const { stdout } = await must("go", ["list", "-m", "k8s.io/kubernetes"], {
    cwd: join(checkout, "scripts/test-servers/1.37"),
  });
  const version = stdout.trim().split(" ")[1] as string;
  const { stdout: downloaded } = await must("go", ["mod", "download", "-json", `k8s.io/kubernetes@${version}`]);
  const { stdout: module } = await must("go", ["mod", "edit", "-json", JSON.parse(downloaded).GoMod]);
  const { Replace } = JSON.parse(module) as { Replace: { Old: { Path: string } }[] };
  const replaced = Replace.map(({ Old: { Path } }) => `replace ${Path} => ${Path} ${version.replace("v1.", "v0.")}`);
  const lines = ["module e2e", "go 1.26.0", `require k8s.io/kubernetes ${version}`, ...replaced];
  writeFileSync(join(directory, "go.mod"), `${lines.join("\n")}\n`);
  copyFileSync(join(checkout, "conformance/api-suites/kubernetes-e2e/suite_test.go"), join(directory, "suite_test.go"));
  await must("go", ["mod", "tidy"], { cwd: directory });
  await must("go", ["test", "-c", "-o", program, "."], { cwd: directory });
}

/** Starts the server with the tests, which end it. Returns their exit code. */
function runTests(): Promise<number> {
  const kubeconfig = join(directory, "kubeconfig");
  const tests = [
    program,
    "-ginkgo.no-color",
    ...["-ginkgo.focus", focus, "-ginkgo.skip", impossible.join("|"), "-ginkgo.timeout", "60m"],
    ...["--provider=local", "--allowed-not-ready-nodes=-1", `--kubeconfig=${kubeconfig}`],
  ];
  const server = [apiserverProgram, "--workloads", "--kubeconfig", kubeconfig];
  // kubectl would use the discovery of an earlier server with the same port.
  const env = { ...process.env, KUBECACHEDIR: mkdtempSync(join(directory, "cache-")) };
  const child = spawn(process.execPath, [...server, "--", ...tests], { stdio: "inherit", env });
  return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}
