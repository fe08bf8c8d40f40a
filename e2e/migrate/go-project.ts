// Creates kubebuilder's reference project in Go with kubebuilder itself. Needs Go and its module proxy.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { must } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";

/** The kubebuilder version whose calls are in testdata/kubebuilder. */
const kubebuilderVersion = "v4.16.0";
const certManager = "github.com/cert-manager/cert-manager";

/** Names in the calls, from npm or a later kubebuilder, with the names that this version accepts. */
const goNames: readonly (readonly [listed: string, understood: string])[] = [
  ["@kubernetes-models/cert-manager/cert-manager.io/v1", `${certManager}/pkg/apis/certmanager/v1`],
  ["@kubernetes-models/cert-manager@6.0.0", `${certManager}@v1.20.2`],
];

/**
 * Creates `<parent>/project-v4`, including the output of `make manifests`, and returns its path.
 *
 * @param develop makes the developers' changes before the manifests are generated
 */
export async function goProject(parent: string, develop: (project: string) => void): Promise<string> {
  const project = join(parent, "project-v4");
  mkdirSync(project);
  const scaffolder = await kubebuilder(parent);
  const module = "sigs.k8s.io/kubebuilder/testdata/project-v4";
  const init = [
    "--domain",
    "testproject.org",
    "--license",
    "apache2",
    "--owner",
    "The Kubernetes authors",
    "--repo",
    module,
  ];
  await scaffolder(project, ["init", ...init]);
  for (const call of callsOf("project-v4")) await scaffolder(project, call.split(" "));
  await must("go", ["get", `${certManager}@v1.20.2`], { cwd: project });
  await must("go", ["mod", "tidy"], { cwd: project });
  develop(project);
  const generator = await controllerGen(parent);
  const options = [
    "rbac:roleName=manager-role",
    "crd",
    "webhook",
    "paths=./...",
    "output:crd:artifacts:config=config/crd/bases",
  ];
  await must(generator, options, { cwd: project });
  return project;
}

/** Returns kubebuilder's calls for a project, with Go names. */
function callsOf(project: string): string[] {
  const text = readFileSync(join(checkout, "testdata/kubebuilder/projects.json"), "utf8");
  const projects: { name: string; calls: { argv: string }[] }[] = JSON.parse(text);
  const { calls } = projects.find(({ name }) => name === project) ?? { calls: [] };
  return calls.map(({ argv }) =>
    goNames.reduce((call, [listed, understood]) => call.replace(listed, understood), argv),
  );
}

/**
 * Builds kubebuilder. The Go commands that it would run after each call run only once, at the end. Until then, its `go`
 * and `make` do nothing.
 */
async function kubebuilder(parent: string): Promise<(cwd: string, argv: readonly string[]) => Promise<unknown>> {
  const downloaded = await must(
    "go",
    ["mod", "download", "-json", `sigs.k8s.io/kubebuilder/v4@${kubebuilderVersion}`],
    {
      cwd: parent,
    },
  );
  const binary = join(parent, "kubebuilder");
  await must("go", ["build", "-o", binary, "."], { cwd: JSON.parse(downloaded.stdout).Dir });
  const stub = join(parent, "stub");
  mkdirSync(stub);
  const go = 'case $1 in version) echo "go version go1.26.0 linux/amd64" ;; env | list) echo "{}" ;; esac';
  for (const [name, script] of Object.entries({ go, make: "exit 0" })) {
    writeFileSync(join(stub, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(stub, name), 0o755);
  }
  const env = { PATH: `${stub}${delimiter}${process.env.PATH}` };
  return (cwd, argv) => must(binary, argv, { cwd, env });
}

/** Returns the reference generator: `CONTROLLER_GEN`, or the version pinned in conformance/crd-parity, which is installed. */
async function controllerGen(parent: string): Promise<string> {
  if (process.env.CONTROLLER_GEN) return process.env.CONTROLLER_GEN;
  const pinned = JSON.parse(readFileSync(join(checkout, "conformance/crd-parity/modules.json"), "utf8")).controllerGen;
  const bin = join(parent, "bin");
  await must("go", ["install", `sigs.k8s.io/controller-tools/cmd/controller-gen@${pinned}`], {
    cwd: parent,
    env: { GOBIN: bin },
  });
  return join(bin, "controller-gen");
}
