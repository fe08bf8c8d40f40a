import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { byBytes } from "../../text/byte-order.ts";
import { argumentPlace, argumentsOf, type Marker, type MarkerValues } from "../markers/index.ts";
import { incomplete, refusals } from "./check.ts";
import { type JsonObject, ShapeProblem } from "./decode.ts";
import type { GeneratedWebhook } from "./generated-webhook.ts";
import { lintWebhooks } from "./lint.ts";
import { webhookArguments } from "./marker.ts";
import { applyPatch } from "./patch.ts";
import { mutatingWebhook, validatingWebhook } from "./shape.ts";

type Kind = "Mutating" | "Validating";

/** A MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export interface WebhookConfiguration {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: `${Kind}WebhookConfiguration`;
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly JsonObject[];
}

/**
 * Generates the mutating and the validating configuration, each only if it has webhooks. Webhooks are sorted by name. If there
 * are errors, which are reported, no configuration is generated: with some webhooks missing, invalid requests would be admitted.
 */
export function webhookConfigurations(
  packages: Iterable<MarkerValues>,
  report: (diagnostic: Diagnostic) => void,
): WebhookConfiguration[] {
  const names: Partial<Record<Kind, string>> = {};
  const made: Record<Kind, GeneratedWebhook[]> = { Mutating: [], Validating: [] };
  let failed = false;
  const fail = (diagnostic: Diagnostic) => {
    failed = true;
    report(diagnostic);
  };
  for (const markers of packages) {
    Object.assign(names, configurationNames(markers, fail));
    const own = [...markers.get("kubebuilder:webhook")].sort((a, b) => byBytes(nameOf(a), nameOf(b)));
    for (const marker of own) {
      const webhook = makeWebhook(marker, fail);
      if (webhook) made[webhookArguments(marker).mutating ? "Mutating" : "Validating"].push({ marker, webhook });
    }
  }
  for (const diagnostic of lintWebhooks([...made.Mutating, ...made.Validating])) report(diagnostic);
  if (failed) return [];
  return (["Mutating", "Validating"] as const).flatMap((kind) => {
    if (made[kind].length === 0) return [];
    const webhooks = made[kind].map(({ webhook }) => webhook);
    webhooks.sort((a, b) => byBytes(String(a.name), String(b.name)));
    return [configuration(kind, names[kind] || `${kind.toLowerCase()}-webhook-configuration`, webhooks)];
  });
}

function configuration(kind: Kind, name: string, webhooks: readonly JsonObject[]): WebhookConfiguration {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks,
  };
}

function nameOf(marker: Marker): string {
  return webhookArguments(marker).name;
}

/** Returns the configuration names of one package. Each can be set once per package; the last package takes precedence. */
function configurationNames(
  markers: MarkerValues,
  fail: (diagnostic: Diagnostic) => void,
): Partial<Record<Kind, string>> {
  const names: Partial<Record<Kind, string>> = {};
  for (const marker of markers.get("kubebuilder:webhookconfiguration")) {
    const { mutating, name } = argumentsOf("kubebuilder:webhookconfiguration", marker.value);
    const kind = mutating ? "Mutating" : "Validating";
    if (names[kind] === undefined) names[kind] = name;
    else {
      const message = `+${marker.name}: the package sets the name of its ${kind.toLowerCase()} configuration twice`;
      const hint = `remove one of the markers; the other name is ${JSON.stringify(names[kind])}`;
      fail({ id: "invalid-webhook", severity: "error", message, ...argumentPlace(marker, "name"), hint });
    }
  }
  return names;
}

function makeWebhook(marker: Marker, fail: (diagnostic: Diagnostic) => void): JsonObject | undefined {
  const problems = refusals(marker);
  for (const problem of problems) fail(problem);
  if (problems.length > 0) return undefined;
  const given = webhookArguments(marker);
  const shape = given.mutating ? mutatingWebhook : validatingWebhook;
  try {
    const webhook = applyPatch(marker.definition.webhook!(marker.value), given.patch, shape);
    for (const problem of incomplete(marker, webhook)) fail(problem);
    return webhook;
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error;
    const message = `+${marker.name}: the patch can't be applied: ${error.message}`;
    fail({ id: "invalid-webhook", severity: "error", message, ...argumentPlace(marker, "patch") });
    return undefined;
  }
}
