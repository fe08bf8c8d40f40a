import type { UserInfo } from "../request/request.ts";
import { authenticated } from "./authenticate.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

/** The result of reading a bearer token. */
export type TokenResult = { user: UserInfo; audiences: string[] } | { problem: string };

const invalid = "invalid bearer token";

/** Reads bearer tokens: static ones and those of service accounts. */
export class BearerTokens {
  readonly #users: ReadonlyMap<string, UserInfo>;
  readonly #accounts: ServiceAccountTokens;

  /**
   * @param users - the users of static tokens
   * @param accounts - reads the tokens of service accounts
   */
  constructor(users: ReadonlyMap<string, UserInfo>, accounts: ServiceAccountTokens) {
    this.#users = users;
    this.#accounts = accounts;
  }

  /** Who tokens are for unless they say otherwise: the server itself. */
  get audiences(): readonly string[] {
    return this.#accounts.issuers.slice(0, 1);
  }

  /**
   * Reads a token.
   *
   * @param token - the token
   * @param audiences - who the token must be for, one of them at least
   * @returns the user with all groups, or why the token isn't valid
   */
  review(token: string, audiences: readonly string[] = this.audiences): TokenResult {
    // Static tokens are for the server itself.
    const own = this.audiences.filter((audience) => audiences.includes(audience));
    const user = own.length === 0 ? undefined : this.#users.get(token);
    if (user !== undefined) return { user: authenticated(user), audiences: own };
    const read = this.#accounts.read(token, audiences);
    if (read.user !== undefined) return { user: authenticated(read.user), audiences: read.audiences ?? [] };
    return { problem: read.problem === undefined ? invalid : `[${invalid}, ${read.problem}]` };
  }

  /** @returns the user of a token for this server; undefined if the token isn't valid */
  user(token: string): UserInfo | undefined {
    const result = this.review(token);
    return "user" in result ? result.user : undefined;
  }
}
