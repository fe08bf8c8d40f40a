import { encodeJson, goQuote } from "@kubewright/cel/json";
import { conditionsMatch, Evaluation, expressionInput, matchConditionsBudget } from "../../expressions/expressions.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import {
  type GroupVersionKind,
  kindOf,
  refused,
  type Target,
  type VersionedObjects,
} from "../../model/admission-request.ts";
import { badRequest, StatusError } from "../../model/status.ts";
import { WebhookCallError, type WebhookClients } from "../../webhook/client.ts";
import { type DecodeJson, webhookDocument } from "../../webhook/response.ts";
import type { Matcher } from "../plugin/match.ts";
import {
  base64Problem,
  checkReviewTypes,
  type Review,
  readReview,
  rejection,
  reviewDocument,
  reviewRequest,
} from "./review.ts";
import type { Webhook } from "./webhook-configurations.ts";

/** A webhook that couldn't be called, or whose answer isn't valid. Its failure policy decides what happens. */
export class WebhookFailure extends Error {
  /**
   * @param webhook - the name of the webhook
   * @param reason - what failed
   */
  constructor(webhook: string, reason: string) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`);
    this.name = "WebhookFailure";
  }
}

/** The parts that calls of webhooks use. */
export interface WebhookCalls {
  clients: WebhookClients;
  matcher: Matcher;
  decodeJson: DecodeJson;
  /** Returns a new UID. */
  uid: () => string;
}

/** A webhook that is about a request. */
export interface Invocation {
  webhook: Webhook;
  target: Target;
  kind: GroupVersionKind;
}

/**
 * Decides if a webhook is about a request.
 *
 * @param calls - how webhooks are matched
 * @param webhook - the webhook
 * @param attributes - the request
 * @param versioned - returns the objects in the version of the webhook
 * @returns the invocation, or undefined
 * @throws StatusError if the decision fails
 */
export async function invocationOf(
  calls: WebhookCalls,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  versioned: (target: Target) => Promise<VersionedObjects>,
): Promise<Invocation | undefined> {
  const target = calls.matcher.match(webhook.criteria, attributes);
  if (target === undefined) return undefined;
  const kind = kindOf(target, attributes.subresource);
  if (kind === undefined) return undefined;
  const conditions = webhook.conditions();
  if (conditions.length > 0) {
    const objects = await versioned(target);
    const input = expressionInput(attributes, target, kind, objects, null, undefined);
    const evaluation = new Evaluation(input, matchConditionsBudget);
    try {
      if (!conditionsMatch(conditions, evaluation, webhook.ignoreFailures)) return undefined;
    } catch (error) {
      throw conditionsFailed(attributes, error as Error);
    }
  }
  return { webhook, target, kind };
}

function conditionsFailed(attributes: AdmissionAttributes, error: Error): StatusError {
  if (error instanceof StatusError) return error;
  // Unlike in other refusals, an object without a name has none here.
  const named = { ...attributes, object: undefined };
  const refusal = refused(named, error.message);
  if (attributes.name !== "") return refusal;
  const { name: _name, ...details } = refusal.details ?? {};
  return new StatusError(refusal.code, refusal.reason, refusal.message.replace(' "Unknown" is', " is"), details);
}

/**
 * Calls a webhook.
 *
 * @param calls - how webhooks are called
 * @param invocation - the webhook and what it receives
 * @param attributes - the request
 * @param objects - the objects in the version of the webhook
 * @param mutating - true if the answer may contain a patch
 * @returns the answer of a webhook that allows the request
 * @throws WebhookFailure if the call fails
 * @throws StatusError if the webhook refuses the request
 */
export async function callWebhook(
  calls: WebhookCalls,
  { webhook, target, kind }: Invocation,
  attributes: AdmissionAttributes,
  objects: VersionedObjects,
  mutating: boolean,
): Promise<Review> {
  if (attributes.dryRun && webhook.sideEffects !== "None" && webhook.sideEffects !== "NoneOnDryRun") {
    throw badRequest(`admission webhook ${goQuote(webhook.name)} does not support dry run`);
  }
  const expected = reviewDocument(webhook.reviewVersions);
  if (expected === undefined) {
    const reason = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new WebhookFailure(webhook.name, `could not create admission objects: ${reason}`);
  }
  const uid = calls.uid();
  const document = reviewRequest(uid, expected.version, attributes, target, kind, objects);
  const { clientConfig, timeoutSeconds, name } = webhook;
  const limit = Math.min(timeoutSeconds, attributes.timeLeft() / 1000);
  let answer: ReturnType<typeof webhookDocument>;
  try {
    const response = await calls.clients.call(clientConfig, limit, encodeJson(document));
    answer = webhookDocument(response, expected, calls.decodeJson);
    checkReviewTypes(answer);
    checkPatchEncoding(answer);
  } catch (error) {
    const { message } = error as Error;
    const unusable = error instanceof WebhookCallError && error.badConfiguration;
    throw new WebhookFailure(
      name,
      unusable ? `could not get REST client: ${message}` : `failed to call webhook: ${message}`,
    );
  }
  let review: Review;
  try {
    review = readReview(answer, expected, uid, mutating);
  } catch (error) {
    throw new WebhookFailure(name, `received invalid webhook response: ${(error as Error).message}`);
  }
  for (const warning of review.warnings) attributes.warn(warning);
  if (!review.allowed) throw rejection(name, review.result);
  return review;
}

/** Returns true if a request has used up its time. */
export function isOverdue({ timeLeft }: AdmissionAttributes): boolean {
  return timeLeft() <= 0;
}

function checkPatchEncoding(answer: ReturnType<typeof webhookDocument>): void {
  const { response } = answer as { response?: { patch?: string } | null };
  const problem = base64Problem(response?.patch ?? "");
  if (problem !== undefined) throw new Error(problem);
}
