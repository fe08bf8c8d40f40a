import { createHash, timingSafeEqual } from "node:crypto";
import { accessDenied } from "../registry/scope.ts";
import { goQuote } from "../request/field-error.ts";
import type { ApiRequest, UserInfo } from "../request/request.ts";
import { badRequest, StatusError } from "../request/status.ts";
import type { AccessRequest, Authorizer } from "./authorizer.ts";

/** Finds the user of a bearer token. Undefined if the token isn't valid. */
export type TokenReader = (token: string) => UserInfo | undefined;

const anonymous: UserInfo = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** @returns the user with the group that all users with credentials have */
export function authenticated(user: UserInfo): UserInfo {
  if (user.groups.includes("system:authenticated")) return user;
  return { ...user, groups: [...user.groups, "system:authenticated"] };
}

/**
 * Finds out who sends a request.
 *
 * @param request - the request
 * @param readToken - finds the user of a bearer token
 * @returns the user; an anonymous one without credentials
 * @throws StatusError (401) if the credentials aren't valid
 */
export function authenticate(request: ApiRequest, readToken: TokenReader): UserInfo {
  if (request.user !== undefined) return authenticated(request.user);
  const header = request.headers.authorization;
  const text = Array.isArray(header) ? header[0] : header;
  const token = /^bearer\s+(\S+)/i.exec(text ?? "")?.[1];
  if (token === undefined) return anonymous;
  const user = readToken(token);
  if (user === undefined) throw new StatusError(401, "Unauthorized", "Unauthorized");
  return authenticated(user);
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

function values(request: ApiRequest, name: string): string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  // Node joins repeated header fields with commas; HTTP has no other form for lists.
  return (Array.isArray(value) ? value : [value]).flatMap((one) => one.split(/,\s*/)).filter((one) => one !== "");
}

/**
 * Replaces the user by the one that the request impersonates.
 *
 * @param request - the request
 * @param user - who sends it
 * @param authorizer - decides if the user may impersonate
 * @returns the impersonated user, or the user itself
 * @throws StatusError if the headers are incomplete or the user has no permission
 */
export function impersonate(request: ApiRequest, user: UserInfo, authorizer: Authorizer): UserInfo {
  const name = values(request, "impersonate-user")[0] ?? "";
  const uid = values(request, "impersonate-uid")[0] ?? "";
  const groups = values(request, "impersonate-group");
  const extra: Record<string, string[]> = {};
  for (const header of Object.keys(request.headers)) {
    if (!header.startsWith("impersonate-extra-")) continue;
    extra[decodeURIComponent(header.slice("impersonate-extra-".length))] = values(request, header);
  }
  const hasExtra = Object.keys(extra).length > 0;
  if (name === "" && uid === "" && groups.length === 0 && !hasExtra) return user;
  if (name === "") {
    const list = (texts: readonly string[]): string => `[]string{${texts.map(goQuote).join(", ")}}`;
    const map = Object.entries(extra).map(([key, texts]) => `${goQuote(key)}:${list(texts)}`);
    const shown = [
      `Name:"", UID:${goQuote(uid)}`,
      `Groups:${groups.length === 0 ? "[]string(nil)" : list(groups)}`,
      `Extra:map[string][]string${hasExtra ? `{${map.join(", ")}}` : "(nil)"}`,
    ];
    throw badRequest(`requested &user.DefaultInfo{${shown.join(", ")}} without impersonating a user name`);
  }

  const check = (group: string, resource: string, subresource: string, namespace: string, target: string): void => {
    const access: AccessRequest = {
      user,
      verb: "impersonate",
      isResource: true,
      path: "",
      group,
      version: "",
      resource,
      subresource,
      namespace,
      name: target,
    };
    const decision = authorizer.authorize(access);
    if (!decision.allowed) throw accessDenied(access, decision.reason);
  };
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  if (account) check("", "serviceaccounts", "", account[1] as string, account[2] as string);
  else check("", "users", "", "", name);
  for (const group of groups) check("", "groups", "", "", group);
  for (const [key, list] of Object.entries(extra)) {
    for (const value of list) check("authentication.k8s.io", "userextras", key, "", value);
  }
  if (uid !== "") check("authentication.k8s.io", "uids", "", "", uid);

  const all = [...groups];
  if (account && groups.length === 0) {
    all.push("system:serviceaccounts", `system:serviceaccounts:${account[1]}`);
  }
  if (name === anonymous.name) {
    if (!all.includes("system:unauthenticated")) all.push("system:unauthenticated");
  } else if (!all.includes("system:authenticated") && !all.includes("system:unauthenticated")) {
    all.push("system:authenticated");
  }
  return { name, groups: all, ...(uid === "" ? {} : { uid }), ...(hasExtra ? { extra } : {}) };
}
