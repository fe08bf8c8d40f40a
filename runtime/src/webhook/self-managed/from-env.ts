import type { CABundleTarget, SelfManagedCertificatesOptions } from "./options.ts";

/**
 * What a scaffolded project's deployment says in the environment: `POD_NAMESPACE`, `WEBHOOK_CERT_SECRET` and `WEBHOOK_SERVICE`, and by
 * `MUTATING_WEBHOOK_CONFIGURATION` and `VALIDATING_WEBHOOK_CONFIGURATION` what there is of them. The CRDs of converted kinds are told
 * too. `METRICS_SERVICE` names the Service of the metrics, which then share the certificate. `undefined` without `WEBHOOK_CERT_SECRET`, as outside of a cluster; throws an `Error` that names what else is missing.
 *
 * @example
 * await Manager.create(getConfigOrDie(), { webhook: { selfManagedCertificates: selfManagedCertificatesFromEnv() } });
 */
export function selfManagedCertificatesFromEnv(
  env: Readonly<Record<string, string | undefined>> = process.env,
): SelfManagedCertificatesOptions | undefined {
  const name = env.WEBHOOK_CERT_SECRET;
  if (!name) return undefined;
  const needed = (variable: string): string => {
    const value = env[variable];
    if (value) return value;
    throw new Error(
      `${variable} is not set, and WEBHOOK_CERT_SECRET=${name} needs it: see config/default/manager_webhook_patch.yaml`,
    );
  };
  const namespace = needed("POD_NAMESPACE");
  const metricsService = env.METRICS_SERVICE;
  const targets: readonly (readonly [CABundleTarget["kind"], string | undefined])[] = [
    ["MutatingWebhookConfiguration", env.MUTATING_WEBHOOK_CONFIGURATION],
    ["ValidatingWebhookConfiguration", env.VALIDATING_WEBHOOK_CONFIGURATION],
  ];
  return {
    secret: { namespace, name },
    service: { namespace, name: needed("WEBHOOK_SERVICE") },
    ...(metricsService ? { metricsService: { namespace, name: metricsService } } : {}),
    caBundleTargets: targets.flatMap(([kind, target]) => (target ? [{ kind, name: target }] : [])),
    convertedKinds: true,
  };
}
