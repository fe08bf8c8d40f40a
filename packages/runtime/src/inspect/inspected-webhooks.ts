import { randomUUID } from "node:crypto";
import type { AdmissionRequest } from "../api/admission/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { JsonPatchOperation } from "../client/patch.ts";
import { cloneJson } from "../json/clone.ts";
import { redactText } from "../log/redact-text.ts";
import type { AdmissionRecord } from "../session/records.ts";
import type { ReviewAnswer, WebhookInspection } from "../webhook/http/inspection.ts";
import type { Faults } from "./faults.ts";
import { apiVersionOf } from "./request-info.ts";
import { limited, yamlDiff, yamlOf } from "./yaml-diff.ts";

/** Records the requests to webhooks. */
export function inspectedWebhooks(faults: Faults, recorded: (record: AdmissionRecord) => void): WebhookInspection {
  return {
    get isDown() {
      return faults.webhooksAreDown;
    },
    begin() {
      const started = performance.now();
      return (path, request, answer) => recorded(admissionRecord(path, request, answer, performance.now() - started));
    },
  };
}

function admissionRecord(
  path: string,
  request: AdmissionRequest,
  answer: ReviewAnswer,
  durationMs: number,
): AdmissionRecord {
  const object = (request.object ?? request.oldObject) as KubernetesObject | undefined;
  const patches = answer.patches ?? [];
  const message = answer.status?.message;
  return {
    id: request.uid || randomUUID(),
    time: new Date().toISOString(),
    durationMs: Math.round(durationMs * 10) / 10,
    path,
    type: patches.length > 0 || path.startsWith("/mutate") ? "mutating" : "validating",
    operation: request.operation ?? "CONNECT",
    object: {
      ...(request.kind ? { apiVersion: apiVersionOf(request.kind) } : {}),
      kind: request.kind?.kind ?? object?.kind ?? "",
      namespace: request.namespace ?? object?.metadata?.namespace ?? "",
      name: request.name || object?.metadata?.name || `${object?.metadata?.generateName ?? ""}…`,
    },
    ...(request.subResource ? { subresource: request.subResource } : {}),
    user: request.userInfo?.username ?? "",
    dryRun: request.dryRun === true,
    allowed: answer.allowed,
    ...(message ? { message: redactText(message) } : {}),
    warnings: answer.warnings ?? [],
    input: limited(yamlOf(object)),
    patch: object && patches.length > 0 ? yamlDiff(object, patchedObject(object, patches)) : "",
  };
}

/** Applies the operations that webhooks of this runtime create. */
function patchedObject(object: KubernetesObject, patches: readonly JsonPatchOperation[]): KubernetesObject {
  const copy = cloneJson(object);
  for (const patch of patches) {
    const names = patch.path
      .split("/")
      .slice(1)
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop();
    const parent = names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], copy);
    if (last === undefined || typeof parent !== "object" || parent === null) continue;
    const value = "value" in patch ? patch.value : undefined;
    if (Array.isArray(parent)) {
      const index = last === "-" ? parent.length : Number(last);
      if (patch.op === "add") parent.splice(index, 0, value);
      else if (patch.op === "remove") parent.splice(index, 1);
      else if (patch.op === "replace") parent[index] = value;
    } else if (patch.op === "remove") delete (parent as Record<string, unknown>)[last];
    else if (patch.op === "add" || patch.op === "replace") (parent as Record<string, unknown>)[last] = value;
  }
  return copy;
}
