// A manager that serves one defaulter: ours.mjs DIRECTORY PORT.
// JavaScript with checked types, because this process is measured, and would spend time on a loader of TypeScript.
// @ts-check
import { groupVersion, Manager, newWebhookManagedBy, silentLogger } from "@kubewright/runtime";

const [certDir, port] = process.argv.slice(2);
/** @typedef {import("@kubewright/runtime/api").KubernetesObject & { spec: { value?: string } }} SampleObject */

/** @type {import("@kubewright/runtime").Kind<SampleObject>} */
const Sample = groupVersion("bench.kubewright.dev", "v1").kind("Sample", { plural: "samples", scope: "Namespaced" });
const mgr = await Manager.create(
  { host: "https://127.0.0.1:1" },
  {
    webhook: { host: "127.0.0.1", port: Number(port), certDir },
    metrics: { bindAddress: "0" },
    healthProbeBindAddress: "0",
    logger: silentLogger,
  },
);
/** @type {import("@kubewright/runtime").CustomDefaulter<SampleObject>} */
const defaulter = {
  default(_ctx, sample) {
    sample.spec.value ||= "default";
  },
};
newWebhookManagedBy(mgr, Sample).withDefaulter(defaulter).withDefaulterCustomPath("/mutate").complete();
await mgr.start(new AbortController().signal);
