import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasWebhooks } from "../manifests.ts";
import { isFree } from "./ports.ts";

/** The flags of the manager in a session. */
export class ManagerFlags {
  readonly #root: string;
  readonly #args: readonly string[];
  readonly #webhookUrl: string | undefined;
  /** The port of the webhooks, if neither the flags nor the URL have one. */
  #chosen: number | undefined;

  /**
   * @param args - the user's flags, which take precedence
   * @param webhookUrl - where the cluster reaches the webhooks
   */
  constructor(root: string, args: readonly string[], webhookUrl: string | undefined) {
    this.#root = root;
    this.#args = args;
    this.#webhookUrl = webhookUrl;
  }

  /** Returns the flags. The port of the webhooks stays the same, so that the cluster can keep its configuration. */
  async all(): Promise<string[]> {
    // A program that parses its flags itself would refuse unknown ones.
    if (!this.#parsesManagerFlags()) return [...this.#args];
    const flags = new Map([["health-probe-bind-address", "127.0.0.1:0"]]);
    if (hasWebhooks(this.#root)) {
      const ofUrl = this.#webhookUrl === undefined ? undefined : Number(new URL(this.#webhookUrl).port || 443);
      const given = this.#givenPort() ?? ofUrl;
      if (given === undefined) this.#chosen ??= await freePort();
      const port = given ?? this.#chosen;
      flags.set("webhook-port", String(port));
      flags.set("webhook-local-url", this.#webhookUrl ?? `https://127.0.0.1:${port}`);
    }
    const own = [...flags].filter(([name]) => !this.#args.some((arg) => new RegExp(`^--?${name}(=|$)`).test(arg)));
    return [...own.map(([name, value]) => `--${name}=${value}`), ...this.#args];
  }

  /**
   * Chooses another port for the webhooks, because another program uses the one that {@link all} has chosen.
   *
   * @returns false if a port wasn't chosen: the user has set it, or it isn't that of the webhooks
   */
  leave(port: number): boolean {
    if (port !== this.#chosen) return false;
    this.#chosen = undefined;
    return true;
  }

  /** Returns the port in the user's flags. */
  #givenPort(): number | undefined {
    const given = this.#args.findLast((arg) => /^--?webhook-port=\d+$/.test(arg));
    return given === undefined ? undefined : Number(given.split("=")[1]);
  }

  #parsesManagerFlags(): boolean {
    const main = join(this.#root, "src", "main.ts");
    return existsSync(main) && readFileSync(main, "utf8").includes("parseManagerFlags");
  }
}

/**
 * Ports from which the webhooks' port is chosen. Operating systems choose higher ones for connections and for servers without a
 * port of their own. Such a server could take a higher port while one manager is replaced by the next.
 */
const lowestPort = 20_000;
const highestPort = 32_000;
const maxAttempts = 100;

async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const port = randomInt(lowestPort, highestPort);
    if (await isFree({ port })) return port;
  }
  throw new Error(`no free port found for the webhooks: tried ${maxAttempts} from ${lowestPort} to ${highestPort}`);
}
