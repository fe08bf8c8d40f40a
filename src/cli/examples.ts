import type { CommandEntry } from "./framework/command.ts";
import { docsLink } from "./framework/docs-links.ts";

/** A call as typed by a user, and its purpose if the flags don't make it clear. */
export interface Example {
  readonly line: string;
  readonly about?: string;
}

/** By the command's words. Help and the reference show them, and a test parses each with the command's own parser. */
const examples: Readonly<Record<string, readonly Example[]>> = {
  init: [
    { line: "npx kubewright@latest init --domain example.com --repo github.com/acme/mygame" },
    { line: "npx kubewright@latest init --domain example.com --webhook-certs self --namespaced" },
  ],
  "create project": [
    { line: "npx kubewright@latest create project website --domain example.com" },
    { line: "npx kubewright@latest create project website --dev", about: "and start scaffold dev" },
  ],
  "create api": [
    { line: "npx scaffold create api --group myapp --version v1 --kind Game --resource --controller" },
    { line: "npx scaffold create api --group apps --version v1 --kind Deployment --resource=false" },
    { line: "npx scaffold create api --from-crd games.yaml", about: "types for an existing CRD" },
    {
      line: "npx scaffold create api --from-crd games.yaml --external",
      about: "types only, because the CRD belongs to another project",
    },
    {
      line: "npx scaffold create api --group cert-manager --version v1 --kind Certificate --resource=false --external-api-domain io --external-api-path @kubernetes-models/cert-manager/cert-manager.io/v1 --external-api-module @kubernetes-models/cert-manager",
    },
  ],
  "create webhook": [
    {
      line: "npx scaffold create webhook --group myapp --version v1 --kind Game --defaulting --programmatic-validation",
    },
    { line: "npx scaffold create webhook --group myapp --version v1 --kind Game --conversion --spoke v2" },
    { line: "npx scaffold create webhook --group core --version v1 --kind Pod --defaulting" },
  ],
  plan: [
    { line: "npx scaffold plan" },
    { line: "npx scaffold plan Game/chess -n default" },
    { line: "npx scaffold plan -f game.yaml", about: "what happens if you apply this file" },
    { line: "npx scaffold plan --impersonate --json --out plan.json" },
  ],
  "delete api": [{ line: "npx scaffold delete api --group myapp --version v1 --kind Game" }],
  "delete webhook": [
    { line: "npx scaffold delete webhook --group myapp --version v1 --kind Game --defaulting" },
    { line: "npx scaffold delete webhook --group myapp --version v1 --kind Game", about: "all types" },
  ],
  generate: [
    { line: "npx scaffold generate", about: "what the Makefile asks for" },
    {
      line: 'npx scaffold generate rbac:roleName=manager-role crd webhook paths="./..." output:crd:artifacts:config=config/crd/bases',
    },
    { line: "npx scaffold generate --check --against origin/main", about: "for CI" },
    { line: "npx scaffold generate crd -ww", about: "the markers for CRDs" },
  ],
  edit: [
    { line: "npx scaffold edit --multigroup" },
    { line: "npx scaffold edit --enable prometheus,network-policy" },
    { line: "npx scaffold edit --helm" },
    { line: "npx scaffold edit --helm --crd-chart --publish", about: "a chart of the CRDs, and a workflow" },
  ],
  upgrade: [
    { line: "npx scaffold upgrade" },
    { line: "npx scaffold upgrade --check", about: "for CI" },
    { line: "npx scaffold upgrade --rebase", about: "after a merge of branches" },
  ],
  migrate: [
    { line: "npx kubewright@latest migrate ../mygame-go", about: "in a new directory beside it" },
    {
      line: "npx kubewright@latest migrate ../mygame-go --external-apis cert-manager.io/v1=@kubernetes-models/cert-manager@6.0.0/cert-manager.io/v1",
    },
  ],
  manifests: [{ line: "npx scaffold manifests" }, { line: "npx scaffold manifests --check", about: "for CI" }],
  build: [{ line: "npx scaffold build" }, { line: "npx scaffold build --bundle-only", about: "in the image build" }],
  dev: [
    { line: "npx scaffold dev" },
    { line: "npx scaffold dev --reset -- --zap-log-level=debug" },
    { line: "npx scaffold dev --cluster", about: "the current kubeconfig context" },
    { line: "npx scaffold dev --json", about: "one event per line" },
  ],
  "dev status": [{ line: "npx scaffold dev status" }],
  "dev apply": [{ line: "npx scaffold dev apply --accept-loss" }],
  "dev open": [{ line: "npx scaffold dev open" }],
  "dev why": [
    { line: "npx scaffold dev why game/game-sample" },
    { line: "npx scaffold dev why game/game-sample -n default --limit 1 --json" },
  ],
  "dev timeline": [{ line: "npx scaffold dev timeline game/game-sample" }],
  "dev objects": [{ line: "npx scaffold dev objects" }],
  "dev queue": [{ line: "npx scaffold dev queue --json" }],
  "dev delete": [{ line: "npx scaffold dev delete deployment/web" }],
  "dev reconcile": [{ line: "npx scaffold dev reconcile game/game-sample" }],
  "dev fault": [
    { line: "npx scaffold dev fault conflict --count 3" },
    { line: "npx scaffold dev fault unavailable --seconds 30" },
    { line: "npx scaffold dev fault clear" },
  ],
  simulate: [
    { line: "npx scaffold simulate" },
    { line: "npx scaffold simulate --for 10m --json", about: "for CI" },
    { line: "npx scaffold simulate --seed 8312", about: "replays a finding" },
  ],
  install: [{ line: "npx scaffold install" }],
  uninstall: [{ line: "npx scaffold uninstall --ignore-not-found" }],
  deploy: [
    { line: "IMG=example.com/mygame:v1 npx scaffold deploy" },
    { line: "npx scaffold deploy --dry-run", about: "the program calls" },
  ],
  undeploy: [{ line: "npx scaffold undeploy" }, { line: "npx scaffold undeploy --force --ignore-not-found" }],
  "build-installer": [{ line: "IMG=example.com/mygame:v1 npx scaffold build-installer" }],
  "docker-build": [{ line: "IMG=example.com/mygame:v1 npx scaffold docker-build" }],
  "docker-push": [{ line: "IMG=example.com/mygame:v1 npx scaffold docker-push" }],
  "docker-buildx": [{ line: "PLATFORMS=linux/arm64,linux/amd64 IMG=example.com/mygame:v1 npx scaffold docker-buildx" }],
  "setup-test-e2e": [{ line: "npx scaffold setup-test-e2e" }],
  "test-e2e": [{ line: "npx scaffold test-e2e" }],
  "cleanup-test-e2e": [{ line: "npx scaffold cleanup-test-e2e" }],
  "helm-deploy": [
    { line: "IMG=example.com/mygame:v1 npx scaffold helm-deploy" },
    { line: "npx scaffold helm-deploy -- --set prometheus.enabled=true" },
  ],
  "helm-package": [{ line: "VERSION=v1.2.3 npx scaffold helm-package" }],
  "helm-push": [{ line: "CHART_REPO=oci://example.com/charts VERSION=v1.2.3 npx scaffold helm-push" }],
  "helm-uninstall": [{ line: "npx scaffold helm-uninstall" }],
  "helm-status": [{ line: "npx scaffold helm-status" }],
  "helm-history": [{ line: "npx scaffold helm-history" }],
  "helm-rollback": [{ line: "npx scaffold helm-rollback" }],
  run: [{ line: "npx scaffold run" }, { line: "npx scaffold run -- --leader-elect", about: "flags of the manager" }],
  mcp: [
    { line: "npx scaffold mcp --print-config claude", about: "the configuration of a client" },
    { line: "npx scaffold mcp --read-only" },
  ],
  doctor: [{ line: "npx scaffold doctor" }],
  completion: [{ line: "npx scaffold completion bash" }],
  version: [{ line: "npx scaffold version --json" }],
};

/**
 * Returns the examples of a command.
 *
 * @throws Error if there are none, because each command has one
 */
export function examplesOf({ words }: CommandEntry): readonly Example[] {
  const listed = examples[words.join(" ")];
  if (listed === undefined) throw new Error(`src/cli/examples.ts has no example of ${words.join(" ")}`);
  return listed;
}

/**
 * Returns the end of a command's help: its examples, and the address of its page.
 *
 * @param width - the number of columns
 */
export function helpEnd(entry: CommandEntry, width: number): string {
  const lines = examplesOf(entry).flatMap(({ line, about }) => [
    ...(about === undefined ? [] : [`  # ${about}`]),
    ...wrapped(`  ${line}`, width),
  ]);
  return `\nExamples:\n${lines.join("\n")}\n\nDocumentation:\n  ${docsLink("cli", `scaffold-${entry.words.join("-")}`)}\n`;
}

/** Divides a command line between its words, with a backslash at the end of all lines but the last. */
function wrapped(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const space = line.lastIndexOf(" ", width - 2);
  if (space <= 4) return [line];
  return [`${line.slice(0, space)} \\`, ...wrapped(`    ${line.slice(space + 1)}`, width)];
}
