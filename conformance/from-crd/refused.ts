// Sends every CRD below CRDS_DIR to kube-apiserver, and compares its messages with those of the embedded API server. See README.md.
import type { JsonObject } from "@kubewright/cel/json";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { RealServer, verdictOf } from "../api-schemas/compare.ts";
import { crdsOfCommand } from "./crds.ts";

const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All";
const crds = crdsOfCommand();
const environment = new TestEnvironment();
const total = { accepted: 0, refused: 0, different: 0 };
try {
  const server = new RealServer(await environment.start());
  for (const { file, name, text, refusals } of crds) {
    const { errors } = verdictOf(await server.send("POST", path, JSON.parse(text) as JsonObject));
    const isSame = JSON.stringify(errors) === JSON.stringify(refusals);
    total[isSame ? (errors.length === 0 ? "accepted" : "refused") : "different"]++;
    if (!isSame) console.log(`different: ${file} ${name}`, { kubeApiserver: errors, embedded: refusals });
  }
} finally {
  await environment.stop();
}
console.log(`${crds.length} CRDs`, total);
process.exitCode = total.different === 0 && crds.length > 0 ? 0 : 1;
