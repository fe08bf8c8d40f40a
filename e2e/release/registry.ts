import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { expect } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";

const home = join(checkout, "e2e/release");
/** Packages from the upstream registry. They are kept, because they don't change. */
const storage = join(checkout, "node_modules/.cache/kubewright-registry");
/**
 * An optional package of Vite for Windows. Mirrors of the registry may lack it, and Yarn then installs nothing, even on Linux. The
 * registry of the test has an empty package in place of it.
 */
export const onlyForWindows = "napi-windows-process-start-time";
const everybody = { access: "$all", publish: "$authenticated" };

/** A registry on this machine, for our packages. It fetches all others from npm's configured registry. */
export class Registry {
  readonly url: string;
  /** The token for publishing. */
  readonly token: string;
  readonly #process: Background;

  private constructor(url: string, token: string, process: Background) {
    this.url = url;
    this.token = token;
    this.#process = process;
  }

  /** Starts the registry without any of our releases. Its settings are in the test's directory. */
  static async start(directory: string): Promise<Registry> {
    for (const ours of ["kubewright", "create-kubewright", "@kubewright", onlyForWindows])
      rmSync(join(storage, ours), { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const { stdout } = await must("npm", ["config", "get", "registry"], { cwd: checkout });
    const settings = join(directory, "config.yaml");
    writeFileSync(settings, dump(configuration(directory, stdout.trim())));
    const port = await freePort();
    const [script, url] = [join(home, "node_modules/verdaccio/bin/verdaccio"), `http://127.0.0.1:${port}/`];
    const process_ = new Background(process.execPath, [script, "--config", settings, "--listen", url], {
      cwd: directory,
    });
    try {
      await eventually(async () => {
        expect(process_.running, process_.output).toBe(true);
        expect((await fetch(`${url}-/ping`)).status).toBe(200);
      });
      const registry = new Registry(url, await signUp(url), process_);
      await registry.#publishEmpty(directory, { name: onlyForWindows, version: "0.1.0", os: ["win32"] });
      return registry;
    } catch (error) {
      await process_.end("SIGKILL");
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#process.end("SIGTERM");
  }

  async #publishEmpty(directory: string, manifest: object): Promise<void> {
    const [root, userconfig] = [join(directory, "empty"), join(directory, "npmrc")];
    mkdirSync(root);
    writeFileSync(join(root, "package.json"), JSON.stringify(manifest));
    writeFileSync(userconfig, this.npmrc());
    const env = { npm_config_userconfig: userconfig, npm_config_registry: this.url };
    await must("npm", ["publish"], { cwd: root, env });
  }

  /** Returns npm's settings for the registry: its URL, and `token` to publish. */
  npmrc(more: Record<string, string> = {}): string {
    const host = this.url.replace("http:", "");
    const settings = { registry: this.url, [`${host}:_authToken`]: this.token, ...more };
    return Object.entries(settings)
      .map(([key, value]) => `${key}=${value}\n`)
      .join("");
  }

  /** Returns the document of a package, as package managers receive it. */
  async packument(name: string): Promise<{ "dist-tags": Record<string, string> }> {
    const response = await fetch(`${this.url}${name.replace("/", "%2f")}`);
    expect(response.status, name).toBe(200);
    return (await response.json()) as { "dist-tags": Record<string, string> };
  }
}

function configuration(directory: string, upstream: string): object {
  return {
    storage,
    auth: { htpasswd: { file: join(directory, "htpasswd"), max_users: 1 } },
    uplinks: { configured: { url: upstream, timeout: "60s", maxage: "60m" } },
    packages: {
      // Only from here, so that no other package with this name is installed.
      kubewright: everybody,
      "create-kubewright": everybody,
      "@kubewright/*": everybody,
      [onlyForWindows]: everybody,
      "**": { access: "$all", proxy: "configured" },
    },
    web: { enable: false },
    max_body_size: "100mb",
    log: { type: "stdout", format: "pretty", level: "warn" },
  };
}

async function signUp(url: string): Promise<string> {
  const user = { name: "releaser", password: "for-this-test-only", email: "releaser@example.com", type: "user" };
  const response = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(user),
  });
  const text = await response.text();
  expect(response.status, text).toBe(201);
  return (JSON.parse(text) as { token: string }).token;
}
