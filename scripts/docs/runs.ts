// Determines how the command lines of each page are tested: by runs.full.test.ts, or by another test.

import type { Procedure, Test } from "./procedure.ts";

const project = ["npx kubewright init --domain qingwave.github.io --repo qingwave.github.io/mygame"];
const game = [...project, "npx scaffold create api --group myapp --version v1 --kind Game"];
const generated = [...game, "make manifests"];
const commit = "git init --quiet && git add --all && git commit --quiet --message Everything";
const pushed = [...generated, `${commit} && git update-ref refs/remotes/origin/main HEAD`];
const webhook = "npx scaffold create webhook --group myapp --version v1 --kind Game";
const webhooks = [...game, `${webhook} --defaulting --programmatic-validation`];
const cronJob = [
  "npx kubewright init --domain tutorial.kubebuilder.io --repo tutorial.kubebuilder.io/project",
  "npx scaffold create api --group batch --version v1 --kind CronJob",
];

const cronjob: Test = "e2e/cronjob/cronjob.full.test.ts";
const seed: Test = "e2e/game/game.kubectl.envtest.test.ts";
const imageRunner: Test = "e2e/deploy-image/deploy-image.full.test.ts";
const seedWebhook: Test = "e2e/game/game-webhook.full.test.ts";
const moving: Test = "e2e/migrate/migrate.go.test.ts";
const quickStart: Test = "e2e/tutorials/quick-start.full.test.ts";
const website: Test = "e2e/tutorials/website.full.test.ts";
const firstOperator: Test = "e2e/tutorials/game.full.test.ts";
const runsImage: Test = "e2e/tutorials/deploy-image.full.test.ts";
const twoVersions: Test = "e2e/tutorials/cronjob.full.test.ts";
const release: Test = "e2e/release/release.full.test.ts";
const externalApi: Test = "e2e/tutorials/dns.full.test.ts";
const image: Test = "e2e/image/dockerfile.full.test.ts";
const deploy: Test = "e2e/deploy/deploy.full.test.ts";
const tasks: Test = "src/tasks/tasks.test.ts";
const packed: Test = "e2e/packed/packed.test.ts";
const dev: Test = "e2e/dev/dev.test.ts";
const measures = { untested: "it measures for minutes; bench/bench.test.ts tests the benchmarks without measurements" };

/** By page, and by prefix of the block's first line. */
export const procedures: Readonly<Record<string, Readonly<Record<string, Procedure>>>> = {
  "README.md": {
    "npm create --yes kubewright@latest": { by: [packed, quickStart] },
    "cd website\nnpx scaffold dev why": { by: [packed, quickStart] },
    "npm run quickstart": { by: ["scripts/workflows.test.ts"] },
  },
  "packages/create-kubewright/README.md": {
    "npm create kubewright@latest": { by: [packed] },
    "npm create --yes kubewright@latest": { by: [packed] },
  },
  "packages/apiserver/README.md": {
    "npx @kubewright/apiserver -- kubectl": { by: ["e2e/packed/apiserver.kubectl.full.test.ts"] },
    "KUBEBUILDER_ASSETS=": { by: ["conformance/api-suites/suites.go.test.ts"] },
  },
  "CONTRIBUTING.md": {
    "npm ci": { untested: "these are the steps of npm test itself: scripts/test.mjs" },
  },
  "docs/guides/deploy.md": {
    "make docker-build docker-push": { by: [image, deploy] },
    "kubectl apply --server-side -f dist/install.yaml": { by: [deploy] },
    "trivy image": {
      untested:
        "scanners need the image in a registry; e2e/image/image.kubectl.full.envtest.test.ts validates the file that they read",
    },
    "docker buildx imagetools": { untested: "it prints the current content of other projects' registries" },
    "npx scaffold edit --helm --crd-chart": { after: generated },
    "npx scaffold edit --helm  ": {
      after: generated,
      printing: ["make helm-deploy"],
      testedBy: {
        "helm install": "e2e/permissions/chart.go.test.ts",
      },
    },
  },
  "docs/concepts/api-design.md": {
    "npx scaffold generate --check": { after: pushed, silent: ["npx scaffold generate --check"] },
  },
  "docs/concepts/conditions.md": {
    "kubectl wait": { by: [imageRunner] },
  },
  "docs/guides/readiness.md": {
    "kubectl wait": { by: [imageRunner] },
  },
  "docs/concepts/conversion.md": {
    "npx scaffold create api": { after: game },
  },
  "docs/guides/declare-children.md": {
    "npx scaffold create api": { after: project },
  },
  "docs/concepts/finalizers.md": {
    "kubectl get game": { by: [imageRunner] },
  },
  "docs/concepts/groups-versions-kinds.md": {
    "npx scaffold create api": { after: project },
  },
  "docs/guides/envtest-in-go.md": {
    "export KUBEBUILDER_ASSETS": { by: ["conformance/api-suites/suites.go.test.ts"] },
  },
  "docs/reference/apiserver.md": {
    "npx @kubewright/apiserver": { by: ["e2e/packed/apiserver.kubectl.full.test.ts"] },
  },
  "docs/guides/generate.md": {
    "npx scaffold generate crd paths=": { after: generated, printing: ["npx scaffold generate crd"] },
    "npx scaffold generate --check\n": { after: generated, silent: ["npx scaffold generate --check"] },
    "npx scaffold generate --prune": { by: ["src/cli/commands/generate.test.ts"] },
    "npx scaffold generate --check --against origin/main": {
      after: [...pushed, "mkdir ../release-1.4 && cp -R config ../release-1.4"],
      silent: ["npx scaffold generate --check"],
    },
  },
  "docs/faq.md": {
    "npm run lint": { after: generated, printing: ["npm run lint", "make manifests", "make test"] },
    "npx scaffold generate": { after: [...webhooks, "mkdir -p operators/games && mv api src operators/games"] },
  },
  "docs/guides/big-crds.md": {
    "kubectl apply --server-side -f dist/install.yaml": {
      by: ["e2e/deploy/deploy.full.test.ts"],
    },
    "npx scaffold generate crd:maxDescLen=0": { after: generated },
  },
  "docs/guides/alerts.md": {
    "npx scaffold edit --enable monitoring": { after: generated },
    "npx scaffold generate monitoring": { after: generated },
  },
  "docs/guides/policies.md": {
    "npx scaffold edit --enable policy": { after: generated },
  },
  "docs/guides/api-reference.md": {
    "npx scaffold edit --enable apidocs": { after: generated },
    "npx scaffold generate apidocs": { after: generated },
  },
  "docs/guides/json-schemas.md": {
    "npx scaffold edit --enable jsonschema": { after: generated },
    "npx scaffold generate jsonschema": { after: generated },
  },
  "docs/guides/change-a-project.md": {
    "npx scaffold delete webhook": { after: [...game, `${webhook} --defaulting`] },
    "npx scaffold create webhook": { after: game },
    "npx scaffold edit --multigroup": { after: game },
    "npx scaffold edit --enable": { after: game },
    "npx scaffold create api --group core": {
      after: project,
      testedBy: {
        "npx scaffold create api --from-crd": "src/cli/commands/create-api/from-crd.test.ts",
      },
    },
    "npx scaffold create api --from-crd https://example.com/crds/volumesnapshots.yaml": {
      by: ["src/cli/commands/create-api/from-crd.test.ts"],
    },
    "npx scaffold edit --license": { after: game },
  },
  "docs/guides/develop.md": {
    "npx scaffold dev": { by: [dev] },
    "export KUBECONFIG": { by: [dev] },
    "kubectl port-forward": {
      untested: "a kubelet forwards the ports of Pods, and the API servers of tests have none",
    },
    "kubectl logs": { by: ["packages/runtime/src/inspect/inspect.envtest.test.ts"] },
  },
  "docs/guides/find-mistakes-in-markers.md": {
    "npx scaffold generate --check": {
      after: pushed,
      // This project has no mistakes.
      silent: ["npx scaffold generate --check", "npx scaffold generate --fix"],
    },
  },
  "docs/guides/least-privilege.md": {
    "npx scaffold generate rbac": { after: generated, printing: ["npx scaffold generate rbac"] },
    "npx kubewright init": { after: game },
    "npx scaffold edit --enable network-policy": { after: game },
  },
  "docs/guides/migrate-stored-objects.md": {
    "npx scaffold create api": { after: generated },
    "kubectl apply -f migration.yaml": {
      by: ["packages/apiserver/src/controllers/storage-version-migrations.test.ts"],
    },
    "kubectl patch crd": { by: ["packages/apiserver/src/custom-resources/crd.test.ts"] },
  },
  "docs/guides/monitor.md": {
    "npx scaffold edit --enable prometheus": { after: game },
  },
  "docs/guides/profile.md": {
    "kubectl port-forward": {
      untested: "a kubelet forwards the ports of Pods, and the API servers of tests have none",
    },
    "curl -OJ": {
      by: ["packages/runtime/src/profiling/pprof.test.ts"],
    },
  },
  "docs/guides/shards.md": {
    "npx scaffold edit --enable sharding": { after: game },
    "kubectl get leases": { by: ["e2e/sharding/sharding.full.test.ts"] },
  },
  "docs/guides/assistants.md": {
    "npx scaffold mcp --print-config claude > .mcp.json": { after: game },
  },
  "docs/guides/plan.md": {
    "npx scaffold plan                       # all objects": { by: ["e2e/plan/command.test.ts"] },
  },
  "docs/guides/simulate.md": {
    "npx scaffold simulate": { by: ["e2e/simulation/command.test.ts"] },
  },
  "docs/guides/verify-an-upgrade.md": {
    "npx scaffold simulate": { by: ["e2e/simulation/upgrades/command.full.test.ts"] },
  },
  "docs/guides/trace-with-opentelemetry.md": {
    // The packages of the other projects stay unchanged.
    "npm install @opentelemetry/api": { after: [...game, "rm node_modules"] },
  },
  "docs/guides/upgrade.md": {
    "npm install --save-dev kubewright@latest": {
      by: ["e2e/release/release.full.test.ts"],
    },
    "npx scaffold upgrade --rebase": {
      by: ["e2e/merge/merge.full.test.ts"],
    },
  },
  "docs/guides/webhooks-on-your-machine.md": {
    "ENABLE_WEBHOOKS=false": {
      by: ["e2e/webhook-certs/webhook-certs.full.test.ts"],
    },
    "make run ARGS=": { by: [seedWebhook, seed] },
    "npx scaffold dev --cluster": { by: ["e2e/dev/cluster-webhooks.full.test.ts"] },
  },
  "docs/guides/webhooks-without-cert-manager.md": {
    "npx kubewright init": { after: webhooks },
    "npx scaffold edit --enable prometheus": { after: [...webhooks, "npx scaffold edit --webhook-certs self"] },
  },
  "docs/index.md": {
    "npm create --yes kubewright@latest": { by: [packed, quickStart] },
    "pnpm create kubewright@latest": { by: [release] },
    "yarn dlx create-kubewright@latest": { by: [release] },
  },
  "docs/guides/migrate.md": {
    "mkdir ../project-v4-ts": { by: [moving] },
    "make manifests": { by: [moving] },
  },
  "docs/reference/supported-versions.md": {
    "npx setup-envtest use": { by: ["packages/runtime/src/envtest/setup/setup.test.ts"] },
  },
  "docs/guides/webhooks.md": {
    "npx scaffold create api": { after: game },
    "npx scaffold create webhook": { after: game },
  },
  "docs/quick-start.md": {
    "npm create --yes kubewright@latest": { by: [packed, quickStart] },
    "pnpm create kubewright@latest": { by: [release] },
    "yarn dlx create-kubewright@latest": { by: [release] },
    "cd website\nnpx scaffold dev objects": { by: [packed, quickStart] },
    "npx scaffold dev why": { by: [quickStart] },
    "npx scaffold dev delete": { by: [packed, quickStart] },
  },
  "bench/results.md": {
    "npm run bench": measures,
    "node --import tsx bench/scaffold.ts": measures,
    "node --import tsx bench/generate.ts": measures,
    "node --import tsx bench/runtime/main.ts": measures,
    "node --import tsx bench/webhook.ts": measures,
    "node --import tsx bench/image.ts": measures,
    "node --import tsx bench/security.ts": measures,
    "node --import tsx bench/apiserver.ts": measures,
    "node --import tsx bench/soak.ts": measures,
  },
  "docs/reference/make-targets.md": {
    "make deploy IMG=": { by: [deploy, tasks] },
  },
  "docs/reference/manager-flags.md": {
    "make run ARGS=": { by: [seed, dev] },
  },
  "docs/reference/cli.md": {
    "npx kubewright@latest migrate": { by: [moving] },
    "npx kubewright@latest init": { after: [], apart: true },
    "npx kubewright@latest create project": { by: [packed] },
    "npx scaffold plan": { by: ["e2e/plan/command.test.ts"] },
    "npx scaffold mcp": { by: ["e2e/mcp/mcp.test.ts"] },
    "npx scaffold create api": {
      after: [...project, 'cp "$CHECKOUT/e2e/game/testdata/crd.yaml" games.yaml'],
      apart: true,
    },
    "npx scaffold create webhook": {
      after: [...game, "npx scaffold create api --group myapp --version v2 --kind Game --controller=false"],
    },
    "npx scaffold delete api": { after: generated },
    "npx scaffold delete webhook": { after: webhooks },
    "npx scaffold generate": {
      after: [...pushed, "rm config/crd/bases/* config/rbac/role.yaml"],
      printing: ["npx scaffold generate crd -ww"],
      // The second line would write the same as the first.
      silent: ["npx scaffold generate rbac", "npx scaffold generate --check"],
    },
    "npx scaffold edit": { after: generated },
    "npx scaffold upgrade": {
      after: game,
      printing: ["npx scaffold upgrade", "npx scaffold upgrade --rebase"],
      silent: ["npx scaffold upgrade --check"],
    },
    "npx scaffold run": {
      by: [tasks, "e2e/webhook-certs/webhook-certs.full.test.ts"],
    },
    "npx scaffold manifests": { after: game, silent: ["npx scaffold manifests --check"] },
    "npx scaffold build": {
      by: [tasks],
    },
    "npx scaffold dev": { by: [dev] },
    "npx scaffold simulate": { by: ["e2e/simulation/command.test.ts"] },
    "npx scaffold install": { by: [tasks, "e2e/deploy/manifests.full.test.ts"] },
    "npx scaffold uninstall": { by: [tasks] },
    "IMG=example.com/mygame:v1 npx scaffold deploy": { by: [deploy, tasks] },
    "npx scaffold undeploy": { by: [deploy] },
    "IMG=example.com/mygame:v1 npx scaffold build-installer": { by: [deploy] },
    "IMG=example.com/mygame:v1 npx scaffold docker-build": { by: [image] },
    "IMG=example.com/mygame:v1 npx scaffold docker-push": { by: [image] },
    "PLATFORMS=": { by: ["e2e/image/dockerfile.full.test.ts"] },
    "npx scaffold setup-test-e2e": { by: [tasks] },
    "npx scaffold test-e2e": { by: [tasks] },
    "npx scaffold cleanup-test-e2e": { by: [tasks] },
    "IMG=example.com/mygame:v1 npx scaffold helm-deploy": { by: [tasks] },
    "npx scaffold helm-uninstall": { by: [tasks] },
    "npx scaffold helm-status": { by: [tasks] },
    "npx scaffold helm-history": { by: [tasks] },
    "npx scaffold helm-rollback": { by: [tasks] },
    "VERSION=v1.2.3 npx scaffold helm-package": { by: [tasks] },
    "CHART_REPO=oci://example.com/charts": { by: [tasks] },
    "npx scaffold doctor": { after: game, printing: ["npx scaffold doctor"] },
    "npx scaffold completion": { after: game, printing: ["npx scaffold completion"] },
    "npx scaffold version": { after: game, printing: ["npx scaffold version"] },
  },
  "docs/tutorials/cronjob.md": {
    "mkdir cronjob && cd cronjob\nnpx": { by: [cronjob] },
    "mkdir cronjob && cd cronjob\npnpm": { by: [release] },
    "mkdir cronjob && cd cronjob\nyarn": { by: [release] },
    "npx scaffold dev": { by: [twoVersions] },
    "export KUBECONFIG": { by: [twoVersions] },
    "npm test": { by: [twoVersions] },
    "npx scaffold simulate": { by: [twoVersions] },
    "npx scaffold create webhook": { after: cronJob },
    "kubectl patch": { by: [twoVersions] },
    "kubectl get": { by: [twoVersions] },
    "npx scaffold create api": {
      after: [
        ...cronJob,
        "npx scaffold create webhook --group batch --version v1 --kind CronJob --defaulting --programmatic-validation",
      ],
    },
    "make docker-build": {
      by: [image, cronjob],
    },
  },
  "docs/tutorials/website.md": {
    "npx scaffold dev objects": { by: [website] },
    "export KUBECONFIG": { by: [website] },
    "npx scaffold simulate": { by: [website] },
    "npm test": { by: [website] },
    "npx scaffold create webhook": { by: [website] },
    "kubectl patch website": { by: [website] },
    "npx scaffold generate rbac": { by: [website] },
  },
  "docs/tutorials/deploy-image.md": {
    "mkdir memcached && cd memcached\nnpx": { after: [] },
    "mkdir memcached && cd memcached\npnpm": { by: [release] },
    "mkdir memcached && cd memcached\nyarn": { by: [release] },
    "npm test": { by: [runsImage] },
    "npx scaffold simulate": { by: [runsImage] },
    "npx scaffold dev": { by: [runsImage] },
    "export KUBECONFIG": { by: [runsImage] },
    MEMCACHED_IMAGE: { by: [runsImage] },
    "kubectl wait": { by: [runsImage] },
    "kubectl label": { by: [runsImage] },
    "kubectl delete": { by: [runsImage] },
    "unset KUBECONFIG": { by: [imageRunner] },
    "kubectl apply -k": { by: [imageRunner] },
  },
  "docs/tutorials/dns.md": {
    "mkdir dns-operator && cd dns-operator\nnpx": { after: [] },
    "mkdir dns-operator && cd dns-operator\npnpm": { by: [release] },
    "mkdir dns-operator && cd dns-operator\nyarn": { by: [release] },
    "node provider/server.mjs": { by: [externalApi] },
    curl: { by: [externalApi] },
    "npx scaffold dev": { by: [externalApi] },
    "export KUBECONFIG": { by: [dev] },
    kubectl: { by: [externalApi] },
    "npx scaffold simulate": { by: [externalApi] },
    "npm test": { by: [externalApi] },
  },
  "docs/tutorials/game.md": {
    "mkdir mygame && cd mygame\nnpx": { after: [] },
    "mkdir mygame && cd mygame\npnpm": { by: [release] },
    "mkdir mygame && cd mygame\nyarn": { by: [release] },
    "npx scaffold dev": { by: [firstOperator] },
    "export KUBECONFIG": { by: [dev] },
    "kubectl delete deployment": { by: [firstOperator] },
    "kubectl scale game": { by: [firstOperator] },
    "kubectl patch": { by: [firstOperator] },
    "npm test": { by: [firstOperator] },
    "npx scaffold simulate": { by: [firstOperator] },
    "npx scaffold create webhook": { after: game },
    "unset KUBECONFIG": { by: [seed] },
    "kubectl apply -f": { by: [seed] },
  },
};
