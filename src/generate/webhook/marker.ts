import type { Marker } from "../markers/index.ts";

/** The arguments of `+kubebuilder:webhook`; the registry's definition guarantees them. */
export interface WebhookArguments {
  readonly mutating: boolean;
  readonly failurePolicy: string;
  readonly matchPolicy: string;
  readonly sideEffects: string;
  readonly timeoutSeconds: number | bigint;
  readonly groups: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly verbs: readonly string[] | null;
  readonly versions: readonly string[] | null;
  readonly name: string;
  readonly serviceName: string;
  readonly serviceNamespace: string;
  readonly servicePort: number | null;
  readonly path: string;
  readonly url: string;
  readonly webhookVersions: readonly string[] | null;
  readonly admissionReviewVersions: readonly string[] | null;
  readonly reinvocationPolicy: string;
  readonly patch: string;
}

/** Returns the arguments of a `+kubebuilder:webhook` marker. */
export function webhookArguments(marker: Marker): WebhookArguments {
  return marker.value as unknown as WebhookArguments;
}

/** The arguments of `+kubebuilder:webhookconfiguration`. */
export interface ConfigurationArguments {
  readonly mutating: boolean;
  readonly name: string;
}

/** Returns the arguments of a `+kubebuilder:webhookconfiguration` marker. */
export function configurationArguments(marker: Marker): ConfigurationArguments {
  return marker.value as unknown as ConfigurationArguments;
}
