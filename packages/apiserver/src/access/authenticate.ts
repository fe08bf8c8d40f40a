import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiRequest, UserInfo } from "../model/request.ts";
import { StatusError } from "../model/status.ts";
import { isWebSocketRequest, webSocketProtocols } from "../request/web-socket.ts";

/** Finds the user of a bearer token. Undefined if the token isn't valid. */
export type TokenReader = (token: string) => UserInfo | undefined;

const anonymous: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** Returns the user with the group that all users with credentials have. */
export function authenticated(user: UserInfo): UserInfo {
  if (user.groups.includes("system:authenticated")) return user;
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}

/**
 * Finds out who sends a request.
 *
 * @param request - the request
 * @param readToken - finds the user of a bearer token
 * @param allowsAnonymous - whether requests without credentials have an anonymous user
 * @returns the user
 * @throws StatusError (401) if the credentials aren't valid, or none were sent and anonymous users aren't allowed
 */
export function authenticate(request: ApiRequest, readToken: TokenReader, allowsAnonymous: boolean): UserInfo {
  if (request.user !== undefined) return authenticated(request.user);
  const header = request.headers.authorization;
  const text = Array.isArray(header) ? header[0] : header;
  // Other schemes, and a scheme without a token, count as no credentials.
  const token = /^bearer ([^ ]+)/i.exec((text ?? "").trim())?.[1];
  const offered = isWebSocketRequest(request.headers) ? webSocketProtocols(request.headers).token : undefined;
  if (token === undefined && offered === undefined && allowsAnonymous) return anonymous;
  const user = (token && readToken(token)) || (offered && readToken(offered));
  if (!user) throw new StatusError(401, "Unauthorized", "Unauthorized");
  return authenticated(user);
}

/**
 * Warns of credentials that count as none.
 *
 * @param request - the request
 * @returns the warnings
 */
export function credentialWarnings({ user, headers: { authorization } }: ApiRequest): string[] {
  const text = (Array.isArray(authorization) ? authorization[0] : authorization)?.trim() ?? "";
  if (user !== undefined || !/^bearer {2}/i.test(text)) return [];
  return ["the provided Authorization header contains extra space before the bearer token, and is ignored"];
}

/**
 * Compares two secrets in a time that doesn't depend on where they differ.
 *
 * @param a - a secret
 * @param b - another
 * @returns true if they are the same
 */
export function sameSecret(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
