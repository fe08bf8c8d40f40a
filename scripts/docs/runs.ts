// Determines how the command lines of each page are tested: by runs.full.test.ts, or by another test.

/** A test file, and a part of its title. */
export type Test = `${string}.test.ts › ${string}`;

/** A block that runs.full.test.ts runs line by line. Each line must exit with 0. */
export interface Run {
  /** Commands to run before, in an empty directory. */
  readonly after: readonly string[];
  /** Whether the lines are alternatives, each of which is run directly after `after`. */
  readonly apart?: true;
  /** Prefixes of lines that only print output; all other lines must change files. */
  readonly says?: readonly string[];
  /** Prefixes of lines that neither print output nor change files on success. */
  readonly silent?: readonly string[];
  /** Prefixes of lines that need something unavailable, with the test that runs each of them. */
  readonly elsewhere?: Readonly<Record<string, Test>>;
}

export type Way = Run | { readonly by: readonly Test[] } | { readonly cannot: string };

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

const cronjob = "e2e/cronjob/cronjob.full.test.ts";
const seed = "e2e/game/game.envtest.test.ts";
const imageRunner = "e2e/deploy-image/deploy-image.full.test.ts";
const seedWebhook = "e2e/game/game-webhook.full.test.ts";
const moving = "e2e/migrate/migrate.go.test.ts";
const targets: Test = "e2e/image/dockerfile.test.ts › docker-build and docker-push";
const deploy: Test =
  "e2e/deploy/deploy.full.test.ts › waits for the rollout, reports its progress, and changes no file";
const runs: Test = `${seed} › runs with make run, flags passed through`;
const handsOn: Test = "src/tasks/tasks.test.ts › hands the flags to the manager, and reports its exit code";
const tasks = "src/tasks/tasks.test.ts";
const calls: Test = `${tasks} › prints the program calls, and changes nothing`;
const helm: Test = `${tasks} › is installed with the image IMG and further flags`;
const undeploy: Test = "e2e/deploy/deploy.full.test.ts › finalizers";
const installer: Test = "e2e/deploy/deploy.full.test.ts › build-installer";
const measures = { cannot: "it measures for minutes; bench/bench.test.ts holds what can be held without" };

/** By page, and by prefix of the block's first line. */
export const ways: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  "README.md": {
    "mkdir mygame": { after: [], says: ["npm test"], elsewhere: { "make install run": runs } },
    "npm run quickstart": { by: ["scripts/workflows.test.ts › run README's two commands on each version of Node"] },
  },
  "CONTRIBUTING.md": {
    "npm ci": { cannot: "these are the steps of npm test itself: scripts/test.mjs" },
  },
  "docs/deploy.md": {
    "trivy image": {
      cannot:
        "scanners need the image in a registry; e2e/image/image.envtest.test.ts validates the file that they read",
    },
    "docker buildx imagetools": { cannot: "it asks registries of other projects for what they have at that time" },
    "npx scaffold edit --helm": {
      after: generated,
      says: ["make helm-deploy"],
      elsewhere: {
        "helm install":
          "e2e/permissions/chart.go.test.ts › is upgraded by Helm, and the API server goes on believing it",
      },
    },
  },
  "docs/generate.md": {
    "npx scaffold generate --check --against origin/main": {
      after: [...pushed, "mkdir ../release-1.4 && cp -R config ../release-1.4"],
      silent: ["npx scaffold generate --check"],
    },
  },
  "docs/how-to/another-layout.md": {
    "npx scaffold generate": { after: [...webhooks, "mkdir -p operators/games && mv api src operators/games"] },
  },
  "docs/how-to/big-crds.md": {
    "kubectl apply --server-side -f dist/install.yaml": {
      by: ["e2e/deploy/deploy.full.test.ts › build-installer writes what deploy applies to one file"],
    },
    "npx scaffold generate crd:maxDescLen=0": { after: generated },
  },
  "docs/how-to/change-a-project.md": {
    "npx scaffold delete webhook": { after: [...game, `${webhook} --defaulting`] },
    "npx scaffold create webhook": { after: game },
    "npx scaffold edit --multigroup": { after: game },
    "npx scaffold edit --enable": { after: game },
    "npx scaffold create api --group core": {
      after: project,
      elsewhere: {
        "npx scaffold create api --from-crd": "src/cli/from-crd.test.ts › fetches a URL",
      },
    },
    "npx scaffold create api --from-crd https://example.com/crds/volumesnapshots.yaml": {
      by: ["src/cli/from-crd.test.ts › gets types of all versions and a controller, and nothing in config/"],
    },
    "npx scaffold edit --license": { after: game },
  },
  "docs/how-to/find-mistakes-in-markers.md": {
    "npx scaffold generate --check": { after: pushed, silent: ["npx scaffold generate --check"] },
  },
  "docs/how-to/least-privilege.md": {
    "npx scaffold generate rbac": { after: generated, says: ["npx scaffold generate rbac"] },
    "npx kubewright init": { after: game },
    "npx scaffold edit --enable network-policy": { after: game },
  },
  "docs/how-to/profile.md": {
    "kubectl port-forward": { cannot: "a kubelet forwards the ports of Pods, and the API servers of tests have none" },
    "curl -OJ": {
      by: [
        "runtime/src/profiling/pprof.test.ts › of the CPU name the functions that ran",
        "runtime/src/profiling/pprof.test.ts › of allocations and the snapshot of the heap are what V8's tools read",
      ],
    },
  },
  "docs/how-to/trace-with-opentelemetry.md": {
    // The packages of the other projects stay unchanged.
    "npm install @opentelemetry/api": { after: [...game, "rm node_modules"] },
  },
  "docs/how-to/upgrade.md": {
    "npm install --save-dev kubewright@latest": {
      by: ["e2e/release/release.full.test.ts › upgrades by the lines of docs/how-to/upgrade.md"],
    },
    "npx scaffold upgrade --rebase": {
      by: ["e2e/merge/merge.test.ts › get the archive of a project in which both ran, by upgrade --rebase"],
    },
  },
  "docs/how-to/webhooks-on-your-machine.md": {
    "ENABLE_WEBHOOKS=false": {
      by: ["e2e/webhook-certs/webhook-certs.full.test.ts › is left alone with ENABLE_WEBHOOKS=false"],
    },
    "make run ARGS=": { by: [`${seedWebhook} › the operator serves them here, which takes no certificate`, runs] },
  },
  "docs/how-to/webhooks-without-cert-manager.md": {
    "npx kubewright init": { after: webhooks },
    "npx scaffold edit --enable prometheus": { after: [...webhooks, "npx scaffold edit --webhook-certs self"] },
  },
  "docs/migrate.md": {
    "mkdir ../project-v4-ts": { by: [`${moving} › 2. the migration`] },
    "make manifests": { by: [`${moving} › 4. the manifests`] },
  },
  "docs/quick-start.md": {
    "mkdir mygame": { after: [] },
    "make manifests": { after: game },
    "make test": { after: game },
    "make install": { by: [`${seed} › installs the CRD with make install, twice`] },
    "make run": { by: [runs] },
    "kubectl apply -k": {
      by: [
        `${seed} › makes the children of the sample, with owner references`,
        `${seed} › shows the printer columns in kubectl get game`,
      ],
    },
    "make docker-build": { by: [targets, deploy] },
  },
  "docs/reference/benchmarks.md": {
    "npm run bench": measures,
    "node bench/scaffold.mjs": measures,
    "node bench/generate.mjs": measures,
    "node bench/runtime/main.mjs": measures,
    "node bench/webhook.mjs": measures,
    "node bench/image.mjs": measures,
    "node bench/security.mjs": measures,
    "node bench/soak.mjs": measures,
  },
  "docs/reference/cli.md": {
    "npx kubewright@latest migrate": { by: [`${moving} › 2. the migration`] },
    "npx kubewright@latest init": { after: [], apart: true },
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
      says: ["npx scaffold generate crd -ww"],
      // The second line would write the same as the first.
      silent: ["npx scaffold generate rbac", "npx scaffold generate --check"],
    },
    "npx scaffold edit": { after: generated },
    "npx scaffold upgrade": {
      after: game,
      says: ["npx scaffold upgrade", "npx scaffold upgrade --rebase"],
      silent: ["npx scaffold upgrade --check"],
    },
    "npx scaffold run": {
      by: [handsOn, "e2e/webhook-certs/webhook-certs.full.test.ts › with scaffold run, at SIGINT"],
    },
    "npx scaffold manifests": { after: game, silent: ["npx scaffold manifests --check"] },
    "npx scaffold build": {
      by: [calls, `${tasks} › bundles only, without PROJECT's neighbors, as the image build does`],
    },
    "npx scaffold dev": { by: ["e2e/webhook-certs/webhook-certs.full.test.ts › npm run dev"] },
    "npx scaffold install": { by: [calls, "e2e/deploy/manifests.test.ts › generates with the same options"] },
    "npx scaffold uninstall": { by: [calls] },
    "IMG=example.com/mygame:v1 npx scaffold deploy": { by: [deploy, calls] },
    "npx scaffold undeploy": { by: [undeploy] },
    "IMG=example.com/mygame:v1 npx scaffold build-installer": { by: [installer] },
    "IMG=example.com/mygame:v1 npx scaffold docker-build": { by: [targets] },
    "IMG=example.com/mygame:v1 npx scaffold docker-push": { by: [targets] },
    "PLATFORMS=": { by: ["e2e/image/dockerfile.test.ts › docker-buildx builds the bundle once"] },
    "npx scaffold setup-test-e2e": { by: [calls] },
    "npx scaffold test-e2e": { by: [calls] },
    "npx scaffold cleanup-test-e2e": { by: [calls] },
    "IMG=example.com/mygame:v1 npx scaffold helm-deploy": { by: [helm] },
    "npx scaffold helm-uninstall": { by: [helm] },
    "npx scaffold helm-status": { by: [helm] },
    "npx scaffold helm-history": { by: [helm] },
    "npx scaffold helm-rollback": { by: [helm] },
    "npx scaffold doctor": { after: game, says: ["npx scaffold doctor"] },
    "npx scaffold completion": { after: game, says: ["npx scaffold completion"] },
    "npx scaffold version": { after: game, says: ["npx scaffold version"] },
  },
  "docs/tutorials/cronjob.md": {
    "mkdir cronjob": { by: [`${cronjob} › init, create api; npm install of a library for cron`] },
    "npx scaffold create webhook": { after: cronJob },
    "npx scaffold create api": {
      after: [
        ...cronJob,
        "npx scaffold create webhook --group batch --version v1 --kind CronJob --defaulting --programmatic-validation",
      ],
    },
    "make docker-build": {
      by: [
        targets,
        `${cronjob} › make install; make deploy`,
        `${cronjob} › kubectl get cronjobs.v1… and cronjobs.v2…`,
        `${cronjob} › an object of v2 gets its Jobs`,
      ],
    },
  },
  "docs/tutorials/deploy-image.md": {
    "mkdir memcached": { after: [] },
    "make install": { by: [`${imageRunner} › without that variable: a condition reports it, and nothing is created`] },
    "kubectl apply -k": {
      by: [`${imageRunner} › a Deployment of the image, owned by the Memcached, and an event`],
    },
  },
  "docs/tutorials/game.md": {
    "npx scaffold create webhook": { after: game },
    "make install run": { by: [`${seed} › installs the CRD with make install, twice`, runs] },
    "kubectl apply -f": {
      by: [
        `${seed} › makes the children of the sample, with owner references`,
        `${seed} › shows the printer columns in kubectl get game`,
        `${seed} › scales through the scale subresource`,
      ],
    },
  },
};
