/** An object that contains the CA bundle by which API servers verify the webhooks. */
export interface CABundleTarget {
  /** Kind of the object. */
  kind: "CustomResourceDefinition" | "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration";
  /** Name of the object. */
  name: string;
}

/**
 * Options of webhook certificates that the manager creates, renews and publishes. All replicas share one Secret, and
 * any of them can renew it. The manager requires the permissions `get` and `update` on that Secret, and `get` and
 * `patch` on each object with the CA bundle, by name.
 */
export interface SelfManagedCertificatesOptions {
  /** The Secret with `ca.crt`, `ca.key`, `tls.crt` and `tls.key`. It must exist and can be empty. */
  secret: {
    /** Namespace of the Secret. */
    namespace: string;
    /**
     * Name of the Secret.
     *
     * @defaultValue "webhook-server-cert"
     */
    name?: string;
  };
  /** The Service by which API servers call the webhooks. */
  service: {
    /** Namespace of the Service. */
    namespace: string;
    /** Name of the Service. */
    name: string;
  };
  /**
   * The Service of the metrics. If it is set, a metrics server with `secureServing` and without `certDir` uses the same
   * certificate, which clients can verify with `ca.crt` of the Secret.
   *
   * @defaultValue none
   */
  metricsService?: {
    /** Namespace of the Service. */
    namespace: string;
    /** Name of the Service. */
    name: string;
  };
  /**
   * Further host names and IP addresses of the webhooks.
   *
   * @defaultValue none
   */
  extraHosts?: readonly string[];
  /** Objects that get the CA bundle, in each of their webhooks, or in the conversion webhook of a CRD. */
  caBundleTargets: readonly CABundleTarget[];
  /**
   * Whether CRDs of kinds with a converter get the CA bundle too, if they set a conversion webhook.
   *
   * @defaultValue false
   */
  convertedKinds?: boolean;
  /**
   * Validity of a CA in milliseconds.
   *
   * @defaultValue 315360000000 (ten years)
   */
  caValidFor?: number;
  /**
   * Validity of a serving certificate in milliseconds. Certificates are renewed after two thirds of their validity.
   *
   * @defaultValue 7776000000 (90 days)
   */
  validFor?: number;
  /**
   * Time in milliseconds for which API servers trust a new CA before it signs the serving certificate, and keep an old one
   * afterwards. All replicas check the Secret in that time.
   *
   * @defaultValue 3600000 (one hour)
   */
  overlap?: number;
  /**
   * Time in milliseconds between two checks of the Secret, at most a quarter of the overlap.
   *
   * @defaultValue 60000
   */
  interval?: number;
}

/** The durations of {@link SelfManagedCertificatesOptions} with all defaults. */
export interface Lifetimes {
  caValidFor: number;
  validFor: number;
  overlap: number;
}

const day = 24 * 3_600_000;

/** Throws a `TypeError` for durations that leave no time for a renewal. */
export function lifetimesOf(options: SelfManagedCertificatesOptions): Lifetimes {
  const { caValidFor = 3650 * day, validFor = 90 * day, overlap = 3_600_000 } = options;
  // Certificates are renewed in the last third of their validity. A serving certificate may have to wait for a new CA to be
  // published, and for the old one to be removed. Replicas check the Secret at intervals of at most a quarter of the
  // overlap.
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

/** Returns the host names and IP addresses of a serving certificate, like those of cert-manager. */
export function hostsOf(options: SelfManagedCertificatesOptions): readonly string[] {
  const { service, metricsService, extraHosts = [] } = options;
  const services = metricsService ? [service, metricsService] : [service];
  const names = services.map(({ name, namespace }) => `${name}.${namespace}.svc`);
  return [...names.flatMap((name) => [name, `${name}.cluster.local`]), ...extraHosts];
}
