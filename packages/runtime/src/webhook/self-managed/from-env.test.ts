import { expect, it } from "vitest";
import { selfManagedCertificatesFromEnv } from "./from-env.ts";

const env = { POD_NAMESPACE: "op-system", WEBHOOK_CERT_SECRET: "op-webhook-server-cert", WEBHOOK_SERVICE: "op-svc" };

it("selfManagedCertificatesFromEnv returns undefined if no Secret is set, as outside of a cluster", () => {
  expect(selfManagedCertificatesFromEnv({})).toBeUndefined();
  expect(selfManagedCertificatesFromEnv({ ...env, WEBHOOK_CERT_SECRET: "" })).toBeUndefined();
});

it("selfManagedCertificatesFromEnv returns the Secret, the Service, and the configurations that need the CA", () => {
  const names = { MUTATING_WEBHOOK_CONFIGURATION: "op-m", VALIDATING_WEBHOOK_CONFIGURATION: "op-v" };
  expect(selfManagedCertificatesFromEnv({ ...env, ...names })).toEqual({
    secret: { namespace: "op-system", name: "op-webhook-server-cert" },
    service: { namespace: "op-system", name: "op-svc" },
    caBundleTargets: [
      { kind: "MutatingWebhookConfiguration", name: "op-m" },
      { kind: "ValidatingWebhookConfiguration", name: "op-v" },
    ],
    convertedKinds: true,
  });
  expect(selfManagedCertificatesFromEnv(env)?.caBundleTargets).toEqual([]);
});

it("selfManagedCertificatesFromEnv returns the metrics Service if it shares the certificate", () => {
  const metricsService = { namespace: "op-system", name: "op-metrics" };
  expect(selfManagedCertificatesFromEnv({ ...env, METRICS_SERVICE: "op-metrics" })).toMatchObject({ metricsService });
  expect(selfManagedCertificatesFromEnv({ ...env, METRICS_SERVICE: "" })).not.toHaveProperty("metricsService");
});

it.each(["POD_NAMESPACE", "WEBHOOK_SERVICE"])(
  "selfManagedCertificatesFromEnv reports that %s is missing",
  (variable) => {
    const message = `${variable} is not set, but WEBHOOK_CERT_SECRET=op-webhook-server-cert requires it`;
    expect(() => selfManagedCertificatesFromEnv({ ...env, [variable]: undefined })).toThrow(message);
  },
);
