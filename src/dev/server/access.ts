import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { keyHeader, sessionCookie } from "@kubewright/dashboard/protocol";

const newToken = (): string => randomBytes(32).toString("base64url");
const maxOneTimeTokens = 16;
/** Links that stay in use: each one that is opened adds a token and a key. */
const maxPages = 256;
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
  /** Keys of the pages by their tokens in the cookie, the oldest first. */
  readonly #keys = new Map<string, string>();
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
   * Exchanges a one-time token. A page needs both results: a browser sends the cookie to all servers on this machine, whatever
   * their port, so that the cookie alone must not be sufficient. The key is stored for one origin, and pages send it in a
   * header.
   *
   * @returns the value of the cookie, in which other sessions keep their tokens, and the key; `undefined` if the token isn't
   *   valid
   */
  exchange(token: string, { headers }: IncomingMessage): { readonly cookie: string; readonly key: string } | undefined {
    if (!this.#oneTime.delete(token)) return undefined;
    const [own, key] = [newToken(), newToken()];
    this.#keys.set(own, key);
    for (const oldest of this.#keys.keys()) {
      if (this.#keys.size <= maxPages) break;
      this.#keys.delete(oldest);
    }
    return { cookie: [own, ...tokensOf(headers.cookie)].slice(0, maxSessions).join("."), key };
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

  /** Checks whether a request comes from a browser that has opened a link of this session. It can load the page's files only. */
  checkVisitor({ headers }: IncomingMessage): Refusal | undefined {
    return this.#isProgram(headers) || this.#keysOf(headers).length > 0 ? undefined : refusal;
  }

  /** Checks who sends a request: a page with cookie and key, or a program. */
  checkUser({ headers }: IncomingMessage): Refusal | undefined {
    if (this.#isProgram(headers)) return undefined;
    const key = headers[keyHeader];
    return typeof key === "string" && this.#keysOf(headers).some((expected) => isSame(key, expected))
      ? undefined
      : refusal;
  }

  #isProgram({ authorization = "" }: IncomingHttpHeaders): boolean {
    const bearer = /^Bearer (.+)$/.exec(authorization)?.[1];
    return bearer !== undefined && isSame(bearer, this.bearer);
  }

  /** Returns the keys that belong to the tokens in the cookie. */
  #keysOf({ cookie }: IncomingHttpHeaders): string[] {
    const tokens = tokensOf(cookie);
    return [...this.#keys].flatMap(([accepted, key]) => (tokens.some((token) => isSame(token, accepted)) ? [key] : []));
  }
}

const refusal: Refusal = {
  status: 401,
  error: "the request has no valid token",
  hint: "open the dashboard with a new link: npx scaffold dev open",
};

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
