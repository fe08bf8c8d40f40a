import { argumentsOf, type Marker, type MarkerArguments } from "../markers/index.ts";

/** The arguments of `+kubebuilder:webhook`. */
export type WebhookArguments = MarkerArguments<"kubebuilder:webhook">;

/** Returns the arguments of a `+kubebuilder:webhook` marker. */
export function webhookArguments({ value }: Marker): WebhookArguments {
  return argumentsOf("kubebuilder:webhook", value);
}
