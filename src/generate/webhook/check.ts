import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Marker } from "../markers/index.ts";
import type { JsonObject } from "./decode.ts";
import { type Finding, toDiagnostic } from "./finding.ts";
import { type WebhookArguments, webhookArguments } from "./marker.ts";
import { MATCH_POLICIES, SIDE_EFFECTS, spelled } from "./to-webhook.ts";

/** What keeps a marker from being a webhook, whatever its patch says. The reference refuses the same. */
export function refusals(marker: Marker): Diagnostic[] {
  const given = webhookArguments(marker);
  return [...wrongAddress(given), ...wrongVersion(given), ...wrongMatchPolicy(given)].map((found) =>
    toDiagnostic("invalid-webhook", "error", marker, found),
  );
}

function wrongAddress({ path, url }: WebhookArguments): Finding[] {
  if ((path === "") !== (url === "")) return [];
  const hint = "write `path=/…` for the operator's own server, `url=https://…` for another";
  const both = path !== "";
  const message = both ? "`path` and `url` exclude each other" : "either `path` or `url` must be given";
  return [{ argument: both ? "url" : "", message, hint }];
}

function wrongVersion({ webhookVersions }: WebhookArguments): Finding[] {
  const unknown = webhookVersions?.find((version) => version !== "v1");
  if (unknown === undefined) return [];
  const message = `there are no webhook configurations of version ${JSON.stringify(unknown)}`;
  return [{ argument: "webhookVersions", message, hint: "`v1` is the only version, and the default" }];
}

function wrongMatchPolicy({ matchPolicy }: WebhookArguments): Finding[] {
  if (matchPolicy === "" || spelled(matchPolicy, MATCH_POLICIES) !== undefined) return [];
  const message = `${JSON.stringify(matchPolicy)} is no matchPolicy`;
  return [{ argument: "matchPolicy", message, hint: `write ${MATCH_POLICIES.join(" or ")}` }];
}

/** What the finished webhook lacks. A patch may have changed what the marker said, for better or worse. */
export function incomplete(marker: Marker, webhook: JsonObject): Diagnostic[] {
  return [...wrongSideEffects(marker, webhook), ...wrongTimeout(webhook), ...wrongReviewVersions(webhook)].map(
    (found) => toDiagnostic("invalid-webhook", "error", marker, found),
  );
}

function wrongSideEffects(marker: Marker, { sideEffects }: JsonObject): Finding[] {
  const hint = "write `sideEffects=None` if calling the webhook changes nothing else, else `NoneOnDryRun`";
  const written = webhookArguments(marker).sideEffects;
  if (sideEffects === undefined) {
    const unknown = written !== "" && spelled(written, SIDE_EFFECTS) === undefined;
    const message = unknown ? `${JSON.stringify(written)} is no sideEffects` : "`sideEffects` is missing";
    return [{ argument: "sideEffects", message, hint }];
  }
  if (sideEffects !== "Some" && sideEffects !== "Unknown") return [];
  const message = `the API server refuses webhooks with sideEffects ${JSON.stringify(sideEffects)}`;
  return [{ argument: "sideEffects", message, hint }];
}

function wrongTimeout({ timeoutSeconds }: JsonObject): Finding[] {
  if (typeof timeoutSeconds !== "number" || (timeoutSeconds >= 1 && timeoutSeconds <= 30)) return [];
  const message = `timeoutSeconds is ${timeoutSeconds}, and must be between 1 and 30`;
  return [{ argument: "timeoutSeconds", message, hint: "without it the API server waits for 10 seconds" }];
}

function wrongReviewVersions({ admissionReviewVersions }: JsonObject): Finding[] {
  if (admissionReviewVersions !== undefined) return [];
  const message = "`admissionReviewVersions` names no version";
  return [{ argument: "admissionReviewVersions", message, hint: "write `admissionReviewVersions=v1`" }];
}
