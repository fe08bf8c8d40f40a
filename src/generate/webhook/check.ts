import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { similarHint } from "../../diagnostics/did-you-mean.ts";
import { MATCH_POLICIES, SIDE_EFFECTS, spelled } from "../markers/definitions/webhook.ts";
import type { Marker } from "../markers/index.ts";
import type { JsonObject } from "./decode.ts";
import { choose, type Finding, toDiagnostic } from "./finding.ts";
import { type WebhookArguments, webhookArguments } from "./marker.ts";

/** Reports errors that make a marker invalid, regardless of its patch. controller-gen rejects the same markers. */
export function refusals(marker: Marker): Diagnostic[] {
  const given = webhookArguments(marker);
  return [...wrongAddress(given), ...wrongVersion(given), ...wrongMatchPolicy(given)].map((problem) =>
    toDiagnostic("invalid-webhook", "error", marker, problem),
  );
}

function wrongAddress({ path, url }: WebhookArguments): Finding[] {
  if ((path === "") !== (url === "")) return [];
  const hint = "use `path=/…` for the operator's own server, or `url=https://…` for another one";
  const both = path !== "";
  const message = both ? "`path` and `url` exclude each other" : "either `path` or `url` must be given";
  return [{ argument: both ? "url" : "", message, hint }];
}

function wrongVersion({ webhookVersions }: WebhookArguments): Finding[] {
  const unknown = webhookVersions?.find((version) => version !== "v1");
  if (unknown === undefined) return [];
  const message = `unknown webhook configuration version ${JSON.stringify(unknown)}`;
  return [{ argument: "webhookVersions", message, hint: "use `v1`, which is also the default" }];
}

function wrongMatchPolicy({ matchPolicy }: WebhookArguments): Finding[] {
  if (matchPolicy === "" || spelled(matchPolicy, MATCH_POLICIES) !== undefined) return [];
  const message = `unknown matchPolicy ${JSON.stringify(matchPolicy)}`;
  return [{ argument: "matchPolicy", message, hint: choose(matchPolicy, MATCH_POLICIES) }];
}

/** Reports what is missing in the finished webhook, because a patch may have changed the values of the marker. */
export function incomplete(marker: Marker, webhook: JsonObject): Diagnostic[] {
  return [...wrongSideEffects(marker, webhook), ...wrongTimeout(webhook), ...wrongReviewVersions(webhook)].map(
    (problem) => toDiagnostic("invalid-webhook", "error", marker, problem),
  );
}

function wrongSideEffects(marker: Marker, { sideEffects }: JsonObject): Finding[] {
  const hint = "use `sideEffects=None` if calling the webhook changes nothing else, `NoneOnDryRun` otherwise";
  const written = webhookArguments(marker).sideEffects;
  if (sideEffects === undefined) {
    const unknown = written !== "" && spelled(written, SIDE_EFFECTS) === undefined;
    const message = unknown ? `unknown sideEffects ${JSON.stringify(written)}` : "`sideEffects` is missing";
    const advice = unknown ? similarHint(written, ["None", "NoneOnDryRun"], hint) : hint;
    return [{ argument: "sideEffects", message, hint: advice }];
  }
  if (sideEffects !== "Some" && sideEffects !== "Unknown") return [];
  const message = `the API server rejects the sideEffects ${JSON.stringify(sideEffects)}`;
  return [{ argument: "sideEffects", message, hint }];
}

function wrongTimeout({ timeoutSeconds }: JsonObject): Finding[] {
  if (typeof timeoutSeconds !== "number" || (timeoutSeconds >= 1 && timeoutSeconds <= 30)) return [];
  const message = `invalid timeoutSeconds ${timeoutSeconds}: must be between 1 and 30`;
  return [{ argument: "timeoutSeconds", message, hint: "the default is 10 seconds" }];
}

function wrongReviewVersions({ admissionReviewVersions }: JsonObject): Finding[] {
  if (admissionReviewVersions !== undefined) return [];
  const message = "`admissionReviewVersions` is empty";
  return [{ argument: "admissionReviewVersions", message, hint: "use `admissionReviewVersions=v1`" }];
}
