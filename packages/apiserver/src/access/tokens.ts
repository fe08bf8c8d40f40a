import type { UserInfo } from "../model/request.ts";
import { authenticated } from "./authenticate.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

/** The result of reading a bearer token. */
export type TokenResult = { user: UserInfo; audiences: string[] } | { problem: string };

const invalid = "invalid bearer token";
/** How long a valid token stays valid without another look at its service account, in milliseconds. */
const cacheTime = 10_000;
const cachedTokens = 1000;

/** Reads bearer tokens: static ones and those of service accounts. */
export class BearerTokens {
  readonly #users: ReadonlyMap<string, UserInfo>;
  readonly #accounts: ServiceAccountTokens;
  readonly #elapsed: () => number;
  readonly #cache = new Map<string, { result: TokenResult; end: number }>();

  /**
   * @param users - the users of static tokens
   * @param accounts - reads the tokens of service accounts
   * @param elapsed - returns milliseconds since any moment. Setting the clock of the computer must not change them, or a token
   *   that is revoked would stay valid
   */
  constructor(users: ReadonlyMap<string, UserInfo>, accounts: ServiceAccountTokens, elapsed: () => number) {
    this.#users = users;
    this.#accounts = accounts;
    this.#elapsed = elapsed;
  }

  /** The default audience of tokens: the server itself. */
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
    const key = JSON.stringify([token, ...audiences]);
    const cached = this.#cache.get(key);
    if (cached !== undefined && cached.end > this.#elapsed()) return cached.result;
    const read = this.#accounts.read(token, audiences);
    if (read.user === undefined) {
      return { problem: read.problem === undefined ? invalid : `[${invalid}, ${read.problem}]` };
    }
    const result = { user: authenticated(read.user), audiences: read.audiences ?? [] };
    if (this.#cache.size >= cachedTokens) this.#cache.clear();
    this.#cache.set(key, { result, end: this.#elapsed() + cacheTime });
    return result;
  }

  /** Returns the user of a token for this server; undefined if the token isn't valid. */
  user(token: string): UserInfo | undefined {
    const result = this.review(token);
    return "user" in result ? result.user : undefined;
  }
}
