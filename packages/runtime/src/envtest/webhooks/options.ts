import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";

/**
 * Options of the webhooks in a test environment: configurations to install, and the local server, whose unset options
 * are selected at the start.
 */
export interface WebhookInstallOptions {
  /**
   * Files and directories (without subdirectories) with MutatingWebhookConfigurations and
   * ValidatingWebhookConfigurations. Other kinds are ignored.
   *
   * @defaultValue none
   */
  paths?: readonly string[];
  /**
   * MutatingWebhookConfigurations as objects.
   *
   * @defaultValue none
   */
  mutatingWebhooks?: readonly KubernetesObject[];
  /**
   * ValidatingWebhookConfigurations as objects.
   *
   * @defaultValue none
   */
  validatingWebhooks?: readonly KubernetesObject[];
  /**
   * Installs only webhooks whose rules include the group and version of one of these kinds. API servers also call the
   * webhooks of one version for objects of another one (`matchPolicy: Equivalent`), so a test that serves only one
   * version must not install the others.
   *
   * @defaultValue all webhooks
   */
  kinds?: readonly Pick<Kind, "group" | "version">[];
  /**
   * Ignores paths that don't exist.
   *
   * @defaultValue false
   */
  ignoreErrorIfPathMissing?: boolean;
  /**
   * Kinds whose CRDs the local server converts. No other CRD has a conversion webhook then.
   *
   * @defaultValue the CRDs with `spec.conversion.strategy: Webhook`
   */
  convertibleKinds?: readonly Pick<Kind, "group" | "kind">[];
  /**
   * Converts all CRDs with the local server.
   *
   * @defaultValue false
   */
  ignoreSchemeConvertible?: boolean;
  /**
   * Address that the API server calls.
   *
   * @defaultValue "127.0.0.1"
   */
  localServingHost?: string;
  /**
   * Port of the local server.
   *
   * @defaultValue a free port
   */
  localServingPort?: number;
  /**
   * Host name by which the API server reaches the webhooks.
   *
   * @defaultValue `localServingHost`
   */
  localServingHostExternalName?: string;
  /**
   * Directory with `tls.crt` and `tls.key`. Requires `localServingCAData`.
   *
   * @defaultValue a temporary directory with a new certificate
   */
  localServingCertDir?: string;
  /**
   * PEM text of the CA that signed the certificate in `localServingCertDir`.
   *
   * @defaultValue the CA of the new certificate
   */
  localServingCAData?: string;
  /**
   * Time limit in milliseconds for the configurations to become readable.
   *
   * @defaultValue 10000
   */
  maxTime?: number;
  /**
   * Time in milliseconds between two checks.
   *
   * @defaultValue 100
   */
  pollInterval?: number;
}

/** The options with all settings of the local server. */
export interface WebhookServing extends WebhookInstallOptions {
  /** Address of the local server. */
  localServingHost: string;
  /** Port of the local server. */
  localServingPort: number;
  /** Directory with `tls.crt` and `tls.key`. */
  localServingCertDir: string;
  /** PEM text of the CA that signed the certificate. */
  localServingCAData: string;
}
