// Creates kubebuilder's reference projects in Go with kubebuilder itself. Needs Go and its module proxy.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { must } from "../lib/run.mjs";
import { checkout } from "./scaffold.ts";

/** The kubebuilder version whose calls and projects are in testdata/kubebuilder. */
const kubebuilderVersion = "v4.16.0";
const certManager = "github.com/cert-manager/cert-manager";

/** Names in the calls, from npm or a later kubebuilder, with the names that this version accepts. */
const goNames: readonly (readonly [listed: string, understood: string])[] = [
  ["@kubernetes-models/cert-manager/cert-manager.io/v1", `${certManager}/pkg/apis/certmanager/v1`],
  ["@kubernetes-models/cert-manager@6.0.0", `${certManager}@v1.20.2`],
];

/** The flags of the plugin that scaffolds an operator for an image, by kind. */
const images: Readonly<Record<string, string>> = {
  Memcached: "memcached:1.6.26-alpine3.19",
  Busybox: "busybox:1.36.1",
};

interface Reference {
  readonly name: string;
  readonly init: Readonly<Record<string, boolean>>;
  readonly calls: readonly { readonly argv: string; readonly plugin?: string }[];
}

/**
 * Creates a reference project, including the output of `make manifests`.
 *
 * @param parent - the directory in which it is created
 * @param name - the name of the project
 * @param develop - makes the developers' changes before the manifests are generated
 * @returns its path
 */
export async function goProject(
  parent: string,
  name = "project-v4",
  develop: (project: string) => void = () => {},
): Promise<string> {
  const text = readFileSync(join(checkout, "testdata/kubebuilder/projects.json"), "utf8");
  const reference = (JSON.parse(text) as Reference[]).find((one) => one.name === name);
  if (!reference) throw new Error(`kubebuilder has no project ${name}`);
  const project = join(parent, name);
  mkdirSync(project);
  const scaffolder = await kubebuilder(parent);
  const init = [
    ...["--domain", "testproject.org", "--license", "apache2", "--owner", "The Kubernetes authors"],
    ...["--repo", `sigs.k8s.io/kubebuilder/testdata/${name}`],
    ...Object.keys(reference.init).map((flag) => `--${flag}`),
  ];
  await scaffolder(project, ["init", ...init]);
  for (const call of reference.calls) await scaffolder(project, inGo(call));
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

/** Returns the arguments of a call, with Go names. */
function inGo({ argv, plugin }: Reference["calls"][number]): string[] {
  const call = goNames.reduce((text, [listed, understood]) => text.replace(listed, understood), argv);
  const kind = /--kind (\w+)/.exec(call)?.[1] ?? "";
  return [...call.split(" "), ...(plugin === undefined ? [] : [`--plugins=${plugin}`, `--image=${images[kind]}`])];
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
