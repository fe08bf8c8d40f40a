import { isObject, type JsonObject } from "@kubewright/cel/json";
import { userObject } from "../model/admission-request.ts";
import { timestamp } from "../model/metadata.ts";
import { badRequest } from "../model/status.ts";
import type { VirtualCreate } from "../registry/scope.ts";
import type { BearerTokens } from "./tokens.ts";

const group = "authentication.k8s.io";

/**
 * Creates the answers to reviews of tokens and users.
 *
 * @param tokens - reads tokens
 * @returns the functions for `Engine.virtual`
 */
export function authenticationReviews(tokens: BearerTokens): Map<string, VirtualCreate> {
  return new Map<string, VirtualCreate>([
    [`${group}/tokenreviews`, tokenReview(tokens)],
    [`${group}/selfsubjectreviews`, selfSubjectReview],
  ]);
}

function tokenReview(tokens: BearerTokens): VirtualCreate {
  return async (_scope, object, validate) => {
    const spec = isObject(object.spec) ? object.spec : {};
    if (typeof spec.token !== "string" || spec.token === "") {
      throw badRequest("token is required for TokenReview in authentication");
    }
    await validate(object);
    const audiences =
      Array.isArray(spec.audiences) && spec.audiences.length > 0 ? spec.audiences.map(String) : undefined;
    const result = tokens.review(spec.token, audiences);
    const status: JsonObject =
      "user" in result
        ? { authenticated: true, user: userObject(result.user), audiences: result.audiences }
        : { user: {}, error: result.problem };
    object.status = status;
    return object;
  };
}

const selfSubjectReview: VirtualCreate = async (scope, object, validate) => {
  await validate(object);
  return {
    kind: "SelfSubjectReview",
    apiVersion: scope.apiVersion,
    metadata: { creationTimestamp: timestamp(scope.engine.now()) },
    status: { userInfo: userObject(scope.user) },
  };
};
