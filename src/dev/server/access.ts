import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sessionCookie } from "../protocol.ts";

const newToken = (): string => randomBytes(32).toString("base64url");
const maxOneTimeTokens = 16;
/** Sessions that a browser can use at once: it sends one cookie to all ports, which has a token of each. */
const maxSessions = 8;

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 415 | 421;
  readonly error: string;
  readonly hint?: string;
}

/** Decides who may use the server of a session: only its user, and no page of another site. */
export class Access {
  /** Token of programs, which the session file contains. */
  readonly bearer = newToken();
  readonly #cookies = new Set<string>();
  readonly #oneTime = new Set<string>();

  /** Returns a token that can be exchanged once for a cookie. */
  oneTimeToken(): string {
    const token = newToken();
    this.#oneTime.add(token);
    // Forgets the oldest of many unused ones.
    for (const oldest of this.#oneTime) {
      if (this.#oneTime.size <= maxOneTimeTokens) break;
      this.#oneTime.delete(oldest);
    }
    return token;
  }

  /**
   * Exchanges a one-time token.
   *
   * @returns the value of the cookie, in which other sessions keep their tokens; `undefined` if the token isn't valid
   */
  exchange(token: string, { headers }: IncomingMessage): string | undefined {
    if (!this.#oneTime.delete(token)) return undefined;
    const own = newToken();
    this.#cookies.add(own);
    return [own, ...tokensOf(headers.cookie)].slice(0, maxSessions).join(".");
  }

  /**
   * Checks where a request comes from. With DNS rebinding, a browser sends the attacker's name as `Host`; a page of another
   * site sends its `Origin`.
   */
  checkOrigin({ headers }: IncomingMessage, port: number): Refusal | undefined {
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
    if (!hosts.includes(headers.host ?? "")) {
      return {
        status: 421,
        error: `host ${JSON.stringify(headers.host ?? "")} isn't this server`,
        hint: `use http://${hosts[0]}`,
      };
    }
    const { origin } = headers;
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
      return { status: 403, error: `origin ${JSON.stringify(origin)} isn't allowed` };
    }
    const site = headers["sec-fetch-site"];
    if (site === "cross-site" && headers["sec-fetch-mode"] !== "navigate") {
      return { status: 403, error: "requests of other sites aren't allowed" };
    }
    return undefined;
  }

  /** Checks who sends a request. */
  checkUser({ headers }: IncomingMessage): Refusal | undefined {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
    if (bearer !== undefined && isSame(bearer, this.bearer)) return undefined;
    const tokens = tokensOf(headers.cookie);
    if (tokens.some((token) => [...this.#cookies].some((known) => isSame(token, known)))) return undefined;
    return {
      status: 401,
      error: "the request has no valid token",
      hint: "press o in the session to open the dashboard",
    };
  }
}

/** Returns the tokens in the cookie of the sessions. */
function tokensOf(header = ""): string[] {
  for (const pair of header.split(";")) {
    const [name, value = ""] = pair.trim().split("=", 2);
    if (name === sessionCookie)
      return value
        .split(".")
        .filter((token) => /^[\w-]{43}$/.test(token))
        .slice(0, maxSessions);
  }
  return [];
}

/** Compares without a time that depends on the position of the first difference. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
