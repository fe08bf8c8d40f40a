import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { hasWebhooks } from "../manifests.ts";

/** The flags of the manager in a session. */
export class ManagerFlags {
  readonly #root: string;
  readonly #args: readonly string[];
  readonly #webhookUrl: string | undefined;
  #port: number | undefined;

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
      const given = this.#webhookUrl === undefined ? undefined : Number(new URL(this.#webhookUrl).port || 443);
      this.#port ??= given ?? (await freePort());
      flags.set("webhook-port", String(this.#port));
      flags.set("webhook-local-url", this.#webhookUrl ?? `https://127.0.0.1:${this.#port}`);
    }
    const own = [...flags].filter(([name]) => !this.#args.some((arg) => new RegExp(`^--?${name}(=|$)`).test(arg)));
    return [...own.map(([name, value]) => `--${name}=${value}`), ...this.#args];
  }

  #parsesManagerFlags(): boolean {
    const main = join(this.#root, "src", "main.ts");
    return existsSync(main) && readFileSync(main, "utf8").includes("parseManagerFlags");
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
