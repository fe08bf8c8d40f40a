import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../kind.ts";

/** Which webhooks a test environment calls, and where they are served. What isn't set of the local server is chosen at the start. */
export interface WebhookInstallOptions {
  /**
   * Files, and directories (not what is below them), with MutatingWebhookConfigurations and ValidatingWebhookConfigurations; other
   * kinds in them are passed over.
   */
  paths?: readonly string[];
  /** MutatingWebhookConfigurations as objects. */
  mutatingWebhooks?: readonly KubernetesObject[];
  /** ValidatingWebhookConfigurations as objects. */
  validatingWebhooks?: readonly KubernetesObject[];
  /**
   * Only webhooks whose rules name the group and version of one of these kinds are installed; without it all are. API servers
   * also call the webhooks of one version for objects of another (`matchPolicy: Equivalent`): a test that serves those of one
   * version would be refused by the others, which nobody serves.
   */
  kinds?: readonly Pick<Kind, "group" | "version">[];
  /** A path that doesn't exist is an error unless this is `true`. */
  ignoreErrorIfPathMissing?: boolean;
  /**
   * Kinds whose CRDs are converted by the local server; no other CRD has a conversion webhook then. Without it, those CRDs are
   * converted that say so themselves (`spec.conversion.strategy: Webhook`).
   */
  convertibleKinds?: readonly Pick<Kind, "group" | "kind">[];
  /** All CRDs are converted by the local server. */
  ignoreSchemeConvertible?: boolean;
  /** Address that the API server calls; 127.0.0.1 by default. */
  localServingHost?: string;
  localServingPort?: number;
  /** Name under which the API server reaches the webhooks, where it isn't `localServingHost`. */
  localServingHostExternalName?: string;
  /** Directory with `tls.crt` and `tls.key`. Made and filled by default; if it is given, `localServingCAData` is needed too. */
  localServingCertDir?: string;
  /** PEM text of the CA that signed the certificate in `localServingCertDir`. */
  localServingCAData?: string;
  /** Milliseconds in which the configurations must be readable; 10,000 by default. */
  maxTime?: number;
  /** Milliseconds between two looks; 100 by default. */
  pollInterval?: number;
}

/** The options with everything that a webhook server of this process needs to know. */
export interface WebhookServing extends WebhookInstallOptions {
  localServingHost: string;
  localServingPort: number;
  localServingCertDir: string;
  localServingCAData: string;
}
