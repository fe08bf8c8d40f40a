// The verdicts of JSON Schemas on random and mutated objects beside those of the embedded API server, for the definitions of 30
// published modules. Needs Go and its module proxy.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../scripts/lib/run.mjs";
import { compareVerdicts } from "../../src/generate/jsonschema/test-support/verdicts.ts";
import { downloadModule } from "../api-data/go-module.ts";
import { definitionsIn } from "./definitions.ts";
import { embeddedServer, judgeOf } from "./judges.ts";

/** Modules of crd-parity that contain their definitions. */
const names = [
  ...["cert-manager", "gateway-api", "keda", "jobset", "velero"],
  ...["external-dns", "metallb", "crossplane", "capsule", "cloudnative-pg"],
  ...[
    "cluster-api-1.12",
    "cluster-api-operator",
    "cluster-api-provider-gcp",
    "contour",
    "gateway-api-inference-extension",
  ],
  ...["gpu-operator", "grafana-operator", "jaeger", "karpenter", "kubeflow-trainer"],
  ...["kuberay", "kueue", "lws", "mariadb-operator", "mcs-api"],
  ...["network-policy-api", "olm", "rabbitmq-cluster", "rabbitmq-topology"],
  ...[
    "scheduler-plugins",
    "secrets-store-csi-driver",
    "spark-operator",
    "training-operator",
    "vault-secrets-operator",
    "kro",
    "mongodb-operator",
    "network-attachment-definition",
    "gateway-api-1.6",
    "mcs-api-0.5",
    "network-policy-api-0.2",
  ],
];

interface GoModule {
  readonly name: string;
  readonly module: string;
  readonly version: string;
}

const listed = ["modules.json", "more-modules.json"].flatMap(
  (file): GoModule[] => JSON.parse(readFileSync(join(root, "conformance/crd-parity", file), "utf8")).modules,
);
const totals = { mutated: 0, modules: 0 };

it.each(names)("%s", async (name) => {
  const { module, version } = listed.find((one) => one.name === name) as GoModule;
  const server = await embeddedServer();
  onTestFinished(() => server.stop());
  const definitions = definitionsIn(downloadModule(module, version), 3);
  for (const crd of definitions) {
    const judge = await judgeOf(server, crd);
    const { valid, invalid, differences } = await compareVerdicts(crd, { seed: names.indexOf(name), count: 5 }, judge);
    expect(differences.slice(0, 2), crd.metadata.name).toEqual([]);
    totals.mutated += Math.floor(((valid + invalid) * 6) / 7);
  }
  if (definitions.length > 0) totals.modules++;
});

it("compares 2,000 mutated objects of 30 modules", () => {
  expect(totals.modules).toBeGreaterThanOrEqual(30);
  expect(totals.mutated).toBeGreaterThan(2000);
});
