/** An object that tells API servers whom to believe when they call the webhooks. */
export interface CABundleTarget {
  kind: "CustomResourceDefinition" | "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration";
  name: string;
}

/**
 * Webhook certificates that the manager makes, renews and makes known by itself. All replicas share one Secret, and any of them
 * renews. It needs `get` and `update` on that Secret, and `get` and `patch` on each object that gets the CA bundle, by name.
 */
export interface SelfManagedCertificatesOptions {
  /** Holds `ca.crt`, `ca.key`, `tls.crt` and `tls.key`. It must exist, empty at first. */
  secret: { namespace: string /** `webhook-server-cert` by default. */; name?: string };
  /** The Service by which API servers call the webhooks. */
  service: { namespace: string; name: string };
  /**
   * The Service by which the metrics are read. With it, a metrics server with `secureServing` and without `certDir` shows the same
   * certificate, which its readers can check with `ca.crt` of the Secret.
   */
  metricsService?: { namespace: string; name: string };
  /** Names and addresses by which the webhooks are called otherwise. */
  extraHosts?: readonly string[];
  /** What gets the CA bundle, in each of its webhooks; the conversion webhook of a definition. */
  caBundleTargets: readonly CABundleTarget[];
  /** The CRDs of kinds with a converter get the CA bundle too, where they say that they are converted by a webhook. */
  convertedKinds?: boolean;
  /** Milliseconds for which a CA is good; ten years by default. */
  caValidFor?: number;
  /** Milliseconds for which a serving certificate is good; 90 days by default. Both are renewed at two thirds. */
  validFor?: number;
  /**
   * Milliseconds for which API servers are told of a new CA before it signs what is served, and of an old one after; an hour by
   * default. All replicas look at the Secret in that time.
   */
  overlap?: number;
  /** Milliseconds between two looks at the Secret; one minute by default, never more than a quarter of the overlap. */
  interval?: number;
}

/** What {@link SelfManagedCertificatesOptions} say, with the defaults. */
export interface Lifetimes {
  caValidFor: number;
  validFor: number;
  overlap: number;
}

const day = 24 * 3_600_000;

/** Throws a `TypeError` for lives that leave no time for what has to happen in them. */
export function lifetimesOf(options: SelfManagedCertificatesOptions): Lifetimes {
  const { caValidFor = 3650 * day, validFor = 90 * day, overlap = 3_600_000 } = options;
  // The last third is when they are renewed: a serving certificate may wait for a new CA, which then is told and the old one retired.
  // A quarter of the overlap is how late a replica may look.
  const least = { caValidFor: 6 * overlap, validFor: 4 * overlap };
  for (const [name, value] of Object.entries({ caValidFor, validFor })) {
    const atLeast = least[name as keyof typeof least];
    if (!(overlap > 0 && value >= atLeast)) {
      const what = `${name} is ${value} and overlap is ${overlap}`;
      throw new TypeError(
        `selfManagedCertificates: ${what}, but ${name} must be at least ${atLeast / overlap} times a positive overlap`,
      );
    }
  }
  return { caValidFor, validFor, overlap };
}

/** Every name and address that a serving certificate is for, as cert-manager's would be. */
export function hostsOf(options: SelfManagedCertificatesOptions): readonly string[] {
  const { service, metricsService, extraHosts = [] } = options;
  const services = metricsService ? [service, metricsService] : [service];
  const names = services.map(({ name, namespace }) => `${name}.${namespace}.svc`);
  return [...names.flatMap((name) => [name, `${name}.cluster.local`]), ...extraHosts];
}
