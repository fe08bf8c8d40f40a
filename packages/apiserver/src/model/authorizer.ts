import type { UserInfo } from "./request.ts";

/** The action that a user asks for. */
export interface AccessRequest {
  user: UserInfo;
  verb: string;
  /** True for resources of the API, false for paths. */
  isResource: boolean;
  path: string;
  group: string;
  version: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
}

/** A decision about access. */
export interface Decision {
  allowed: boolean;
  /** Why, for the message of a refusal. */
  reason: string;
}

/** Decides about access. */
export interface Authorizer {
  authorize(request: AccessRequest): Decision;
}

/** Lets everybody do everything, for servers without access control. */
export const alwaysAllow: Authorizer = { authorize: () => ({ allowed: true, reason: "" }) };
