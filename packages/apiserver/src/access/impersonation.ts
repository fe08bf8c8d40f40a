import { goQuote } from "@kubewright/cel/json";
import { LimitedMap } from "@kubewright/cel/language";
import { isDNS1123Subdomain } from "@kubewright/cel/validation";
import type { AccessRequest, Authorizer } from "../model/authorizer.ts";
import type { ApiRequest, UserInfo } from "../model/request.ts";
import { badRequest, type StatusError } from "../model/status.ts";
import { accessDenied } from "../registry/scope.ts";

/** The user that a request impersonates, as its header fields name it. */
interface WantedUser {
  name: string;
  uid: string;
  groups: string[];
  extra: Record<string, string[]>;
}

const extraPrefix = "impersonate-extra-";
const authenticationGroup = "authentication.k8s.io";
/** From this number on, one check for all values precedes those for each value. */
const manyChecks = 4;
const rememberedUsers = 10_000;

/** Replaces users by those that their requests impersonate. */
export class Impersonation {
  readonly #authorizer: Authorizer;
  /** The mode that has last succeeded for a user is tried first: it determines which refusal is reported. */
  readonly #lastModes = new LimitedMap<string, Mode>(rememberedUsers);

  /** @param authorizer - decides who may impersonate whom */
  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /**
   * Finds the user that a request acts as.
   *
   * @param request - the request
   * @param access - what the request does, by the user who sends it
   * @returns the impersonated user, or the user itself
   * @throws StatusError if the header fields are incomplete or the user has no permission
   */
  userOf(request: ApiRequest, access: AccessRequest): UserInfo {
    const wanted = wantedUser(request);
    if (wanted === undefined) return access.user;
    const last = this.#lastModes.get(access.user.name);
    const order = last === undefined ? modes : [last, ...modes.filter((mode) => mode !== last)];
    let first: unknown;
    for (const mode of order) {
      if (!mode.applies(wanted, access.user)) continue;
      try {
        const user = this.#check(mode, wanted, access);
        this.#lastModes.set(access.user.name, mode);
        return user;
      } catch (error) {
        first ??= error;
      }
    }
    throw first;
  }

  #check(mode: Mode, wanted: WantedUser, access: AccessRequest): UserInfo {
    const requester = mode.name === "associated-node" ? withoutExtra(access.user) : access.user;
    if (mode.name !== "legacy") {
      this.#authorize({ ...access, user: requester, verb: `impersonate-on:${mode.name}:${access.verb}` });
    }
    const verb = mode.name === "legacy" ? "impersonate" : `impersonate:${mode.name}`;
    const constrained = mode.name !== "legacy";
    const target = (
      group: string,
      resource: string,
      name: string,
      more: Partial<AccessRequest> = {},
    ): AccessRequest => ({
      user: requester,
      verb,
      isResource: true,
      path: "",
      group,
      version: "v1",
      resource,
      subresource: "",
      namespace: "",
      name,
      ...more,
    });
    const group = constrained ? authenticationGroup : "";
    const groups = this.#checkName(mode, wanted, target, group) ?? [...wanted.groups];
    if (wanted.uid !== "") this.#authorize(target(authenticationGroup, "uids", wanted.uid));
    this.#checkGroups(wanted.groups, constrained, (name) => target(group, "groups", name));
    this.#checkExtra(wanted.extra, constrained, (key, name) =>
      target(authenticationGroup, "userextras", name, { subresource: key }),
    );
    return complete(wanted, groups);
  }

  /** Checks the name. Returns the groups that belong to it. */
  #checkName(
    mode: Mode,
    wanted: WantedUser,
    target: (group: string, resource: string, name: string, more?: Partial<AccessRequest>) => AccessRequest,
    group: string,
  ): string[] | undefined {
    const node = mode.name === "legacy" ? undefined : nodeName(wanted.name);
    if (node !== undefined) {
      this.#authorize(target(group, "nodes", mode.name === "associated-node" ? "*" : node));
      return ["system:nodes"];
    }
    const account = serviceAccountOf(wanted.name);
    if (account === undefined) {
      this.#authorize(target(group, "users", wanted.name));
      return undefined;
    }
    const { namespace, name } = account;
    this.#authorize(target(group, "serviceaccounts", name, { namespace }));
    return wanted.groups.length === 0 ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`] : undefined;
  }

  #checkGroups(groups: readonly string[], constrained: boolean, target: (name: string) => AccessRequest): void {
    if (constrained && groups.includes("")) {
      throw accessDenied(target(""), "impersonating the empty string group is not allowed");
    }
    if (constrained && groups.includes("system:masters")) {
      throw accessDenied(target("system:masters"), "impersonating the system:masters group is not allowed");
    }
    if (constrained && groups.length >= manyChecks && this.#authorizer.authorize(target("*")).allowed) return;
    for (const group of groups) this.#authorize(target(group));
  }

  #checkExtra(
    extra: WantedUser["extra"],
    constrained: boolean,
    target: (key: string, name: string) => AccessRequest,
  ): void {
    const entries = Object.entries(extra);
    const problem = constrained ? extraProblem(entries) : undefined;
    if (problem !== undefined) throw accessDenied(target("", ""), problem);
    const many = entries.length >= manyChecks || entries.flatMap(([, values]) => values).length >= manyChecks;
    if (constrained && many && this.#authorizer.authorize(target("*", "*")).allowed) return;
    for (const [key, values] of entries) {
      for (const value of values) this.#authorize(target(key, value));
    }
  }

  #authorize(access: AccessRequest): void {
    const decision = this.#authorizer.authorize(access);
    if (!decision.allowed) throw accessDenied(access, decision.reason);
  }
}

interface Mode {
  name: "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info" | "legacy";
  applies: (wanted: WantedUser, requester: UserInfo) => boolean;
}

const modes: readonly Mode[] = [
  {
    name: "associated-node",
    applies: (wanted, requester) => {
      const node = nodeName(wanted.name);
      if (node === undefined || !onlyName(wanted) || serviceAccountOf(requester.name) === undefined) return false;
      const own = requester.extra?.["authentication.kubernetes.io/node-name"];
      return own?.length === 1 && own[0] === node;
    },
  },
  { name: "arbitrary-node", applies: (wanted) => onlyName(wanted) && nodeName(wanted.name) !== undefined },
  { name: "serviceaccount", applies: (wanted) => onlyName(wanted) && serviceAccountOf(wanted.name) !== undefined },
  {
    name: "user-info",
    applies: ({ name }) => nodeName(name) === undefined && serviceAccountOf(name) === undefined,
  },
  { name: "legacy", applies: () => true },
];

function onlyName({ uid, groups, extra }: WantedUser): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

function nodeName(user: string): string | undefined {
  const name = user.startsWith("system:node:") ? user.slice("system:node:".length) : "";
  return name === "" || isDNS1123Subdomain(name).length > 0 ? undefined : name;
}

/** Returns the service account that a user name stands for, if it does. */
export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  const valid = !namespace.includes(".") && [namespace, name].every((one) => isDNS1123Subdomain(one).length === 0);
  return valid ? { namespace, name } : undefined;
}

function withoutExtra(user: UserInfo): UserInfo {
  const keys = Object.keys(user.extra ?? {}).sort();
  return { ...user, extra: { "authentication.kubernetes.io/associated-node-keys": keys } };
}

function complete({ name, uid, extra }: WantedUser, groups: string[]): UserInfo {
  if (name === "system:anonymous") {
    if (!groups.includes("system:unauthenticated")) groups.push("system:unauthenticated");
  } else if (!groups.includes("system:unauthenticated") && !groups.includes("system:authenticated")) {
    groups.push("system:authenticated");
  }
  const hasExtra = Object.keys(extra).length > 0;
  return { name, groups, ...(uid === "" ? {} : { uid }), ...(hasExtra ? { extra } : {}) };
}

function extraProblem(entries: readonly [string, string[]][]): string | undefined {
  for (const [key, values] of entries) {
    if (key === "") return "impersonating the empty string key in extra is not allowed";
    if (values.includes("")) return "impersonating the empty string value in extra is not allowed";
  }
  return undefined;
}

function headerValues(request: ApiRequest, name: string): string[] {
  const value = request.headers[name];
  if (value === undefined) return [];
  // Node.js joins repeated fields with a comma and a space. A comma alone is part of a value.
  return Array.isArray(value) ? value : value.split(", ");
}

function wantedUser(request: ApiRequest): WantedUser | undefined {
  if (!Object.keys(request.headers).some((name) => name.startsWith("impersonate-"))) return undefined;
  const name = headerValues(request, "impersonate-user")[0] ?? "";
  const uid = headerValues(request, "impersonate-uid")[0] ?? "";
  const groups = headerValues(request, "impersonate-group");
  const extra: Record<string, string[]> = {};
  for (const header of Object.keys(request.headers).sort()) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = unescapeKey(header.slice(extraPrefix.length));
    extra[key] = [...(extra[key] ?? []), ...headerValues(request, header)];
  }
  const wanted = { name, uid, groups, extra };
  if (name !== "") return wanted;
  if (onlyName(wanted)) return undefined;
  throw withoutName(wanted);
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function withoutName({ uid, groups, extra }: WantedUser): StatusError {
  const list = (texts: readonly string[]): string => `[]string{${texts.map(goQuote).join(", ")}}`;
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const map = entries.map(([key, texts]) => `${goQuote(key)}:${list(texts)}`).join(", ");
  const shown = [
    `Name:"", UID:${goQuote(uid)}`,
    `Groups:${groups.length === 0 ? "[]string(nil)" : list(groups)}`,
    `Extra:map[string][]string${entries.length === 0 ? "(nil)" : `{${map}}`}`,
  ];
  return badRequest(`requested &user.DefaultInfo{${shown.join(", ")}} without impersonating a user name`);
}
