import type { CABundleTarget, SelfManagedCertificatesOptions } from "../options/self-managed.ts";

/**
 * Reads the options from the environment variables that a scaffolded Deployment sets:
 *
 * - `WEBHOOK_CERT_SECRET` is the Secret, `POD_NAMESPACE` its namespace and `WEBHOOK_SERVICE` the Service.
 * - `MUTATING_WEBHOOK_CONFIGURATION` and `VALIDATING_WEBHOOK_CONFIGURATION` get the CA bundle if they are set. The CRDs of
 *   converted kinds also get it.
 * - `METRICS_SERVICE` is the Service of the metrics, which then share the certificate.
 *
 * @param env - variables that replace those of the process
 * @returns the options, or `undefined` if `WEBHOOK_CERT_SECRET` isn't set, as outside of a cluster
 * @throws Error that names a variable that is missing
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
      `${variable} is not set, but WEBHOOK_CERT_SECRET=${name} requires it: see config/default/manager_webhook_patch.yaml`,
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
