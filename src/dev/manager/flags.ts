import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The address at which the cluster reaches the webhooks, as far as the user has set it. */
export interface WebhookAddress {
  readonly url?: string;
  readonly port?: number;
}

/** The flags of the manager in a session. */
export class ManagerFlags {
  readonly #root: string;
  readonly #args: readonly string[];
  readonly #webhookUrl: string | undefined;
  readonly #origin: () => string | undefined;

  /**
   * @param args - the user's flags, which take precedence
   * @param webhookUrl - where the cluster reaches the webhooks, if the user has set it
   * @param origin - returns where it reaches them
   */
  constructor(
    root: string,
    args: readonly string[],
    webhookUrl: string | undefined,
    origin: () => string | undefined = () => undefined,
  ) {
    this.#root = root;
    this.#args = args;
    this.#webhookUrl = webhookUrl;
    this.#origin = origin;
  }

  /**
   * The address of the webhooks, as far as the user has set it; `undefined` if the session doesn't pass the requests of the
   * cluster on to the manager.
   */
  get webhookAddress(): WebhookAddress | undefined {
    if (!this.#hasEndpoint) return undefined;
    const url = this.#webhookUrl;
    const given = this.#args.findLast((arg) => /^--?webhook-port=\d+$/.test(arg))?.split("=")[1];
    const port = given ?? (url === undefined ? undefined : new URL(url).port || 443);
    return {
      ...(url === undefined ? {} : { url: new URL(url).origin }),
      ...(port === undefined ? {} : { port: Number(port) }),
    };
  }

  get #hasEndpoint(): boolean {
    const isOff = this.#args.some((arg) => /^--?webhook-port=-/.test(arg));
    return this.#parsesManagerFlags() && !isOff && !this.#has("webhook-local-url");
  }

  all(): string[] {
    // A program that parses its flags itself would refuse unknown ones.
    if (!this.#parsesManagerFlags()) return [...this.#args];
    const own = this.#has("health-probe-bind-address") ? [] : ["--health-probe-bind-address=127.0.0.1:0"];
    const origin = this.#hasEndpoint ? this.#origin() : undefined;
    if (origin === undefined) return [...own, ...this.#args];
    // The session listens on the port that the user has set.
    return [...own, `--webhook-local-url=${origin}`, ...this.#args, "--webhook-port=0"];
  }

  #has(name: string): boolean {
    return this.#args.some((arg) => new RegExp(`^--?${name}(=|$)`).test(arg));
  }

  #parsesManagerFlags(): boolean {
    const main = join(this.#root, "src", "main.ts");
    return existsSync(main) && readFileSync(main, "utf8").includes("parseManagerFlags");
  }
}
