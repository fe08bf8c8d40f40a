import type { AdmissionRequest } from "../../api/admission/v1.ts";
import type { JsonPatchOperation } from "../../client/patch.ts";

/** The part of an answer that an inspection records. */
export interface ReviewAnswer {
  allowed: boolean;
  status?: { message?: string };
  patches?: readonly JsonPatchOperation[];
  warnings?: readonly string[];
}

/** The hooks of a webhook server. */
export interface WebhookInspection {
  /** Whether webhooks must not answer. */
  readonly isDown: boolean;
  begin(): (path: string, request: AdmissionRequest, answer: ReviewAnswer) => void;
}
