import type { KubernetesObject } from "../api/index.ts";
import { findApiError } from "../errors/predicates.ts";
import type { ConfigMap } from "../manager/widget.fixture.ts";

const common = { admissionReviewVersions: ["v1"], sideEffects: "None" };
const service = { name: "webhook-service", namespace: "system" };
const labelled = (test: string) => ({ matchLabels: { test } });
const configMaps = (operations: string[]) => [
  { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations },
];
const hook = (name: string, path: string, more: object = {}) => ({
  ...common,
  name: `${name}.kubewright.dev`,
  clientConfig: { service: { ...service, path } },
  rules: configMaps(["CREATE", "DELETE"]),
  objectSelector: labelled(name),
  ...more,
});

/** Webhooks of ConfigMaps, each for those with its name as a label. */
export const configMapConfiguration: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "configmaps" },
  webhooks: [
    hook("core", "/validate--v1-configmap"),
    hook("beta", "/validate--v1-configmap", { admissionReviewVersions: ["v1beta1"] }),
    hook("slow-fail", "/slow", { timeoutSeconds: 1, failurePolicy: "Fail" }),
    hook("slow-ignore", "/slow", { timeoutSeconds: 1, failurePolicy: "Ignore" }),
    hook("absent-fail", "/absent", { failurePolicy: "Fail" }),
    hook("absent-ignore", "/absent", { failurePolicy: "Ignore" }),
  ],
} as unknown as KubernetesObject;

export const map = (name: string, test: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels: { test } },
  data,
});

/** Returns the error of a request that the API server rejects. */
export async function refusal(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const apiError = findApiError(error);
  if (!apiError) throw new Error(`not refused by the API server: ${error}`);
  const { code, reason, message, status } = apiError;
  return { code, reason, message, details: status.details };
}

interface Refusal {
  code: number;
  reason: string;
  message: string;
  details: unknown;
}
