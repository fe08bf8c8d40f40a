import type { ChildProcess } from "node:child_process";
import { isAbsolute, resolve } from "node:path";
import type { ExecConfig } from "../config/config.ts";
import { redactedText, redactText } from "../log/redact-text.ts";
import { connecting } from "./http/hooks.ts";
import type { Credentials, Identity } from "./identity.ts";

const API_VERSIONS: ReadonlySet<string> = new Set([
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
]);

/**
 * Minimum time in milliseconds between two runs that are caused only by expiry. If this machine's clock is ahead, all
 * credentials of the plugin appear expired. In that case the server decides, and a credential that it rejects is replaced
 * immediately.
 */
const rerun = 10_000;

interface ExecCredential {
  apiVersion?: string;
  kind?: string;
  status?: {
    token?: string;
    clientCertificateData?: string;
    clientKeyData?: string;
    expirationTimestamp?: string;
  };
}

/** Credentials of a program such as `aws eks get-token`. They are cached until they expire or a server rejects them. */
export class ExecCredentials implements Credentials {
  readonly #config: ExecConfig;
  /** Returns the time of the wall clock. */
  readonly #now: () => number;
  readonly #monotonic: () => number;
  #identity: Identity | undefined;
  #expires = Number.POSITIVE_INFINITY;
  #ranAt = Number.NEGATIVE_INFINITY;
  #running: Promise<Identity> | undefined;

  constructor(config: ExecConfig, now: () => number = Date.now, monotonic: () => number = () => performance.now()) {
    this.#config = config;
    this.#now = now;
    this.#monotonic = monotonic;
    if (!API_VERSIONS.has(config.apiVersion)) {
      throw new Error(
        `the credential plugin ${config.command} speaks ${config.apiVersion || "no version"}, which isn't known`,
      );
    }
  }

  current(): Identity | Promise<Identity> {
    const isGood = this.#now() < this.#expires || this.#monotonic() - this.#ranAt < rerun;
    if (this.#identity && isGood) return this.#identity;
    return this.#run();
  }

  async renew(refused: Identity): Promise<boolean> {
    // Another request may have renewed the credentials in the meantime.
    if (this.#identity && this.#identity !== refused) return true;
    this.#identity = undefined;
    await this.#run();
    return true;
  }

  #run(): Promise<Identity> {
    this.#running ??= runPlugin(this.#config)
      .then(({ identity, expires }) => {
        this.#identity = identity;
        this.#expires = expires;
        this.#ranAt = this.#monotonic();
        return identity;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

/**
 * Time in milliseconds after which a noninteractive plugin counts as hanging. All requests wait for it, and the next request
 * starts it again.
 */
const longestRun = 60_000;

async function runPlugin(config: ExecConfig): Promise<{ identity: Identity; expires: number }> {
  const interactive = config.interactiveMode !== "Never" && process.stdin.isTTY === true;
  if (config.interactiveMode === "Always" && !interactive) {
    throw new Error(`the credential plugin ${config.command} requires a terminal, but there is none`);
  }
  const spec: Record<string, unknown> = { interactive };
  if (config.provideClusterInfo && config.cluster) spec.cluster = config.cluster;
  const info = JSON.stringify({ apiVersion: config.apiVersion, kind: "ExecCredential", spec });
  const environment: NodeJS.ProcessEnv = { ...process.env, KUBERNETES_EXEC_INFO: info };
  for (const { name, value } of config.env ?? []) environment[name] = value;
  const output = await execute(config, environment, interactive);
  return parseCredential(config, output);
}

function execute(config: ExecConfig, environment: NodeJS.ProcessEnv, interactive: boolean): Promise<string> {
  const hasDirectory = /[\\/]/.test(config.command);
  const command =
    hasDirectory && !isAbsolute(config.command) && config.directory
      ? resolve(config.directory, config.command)
      : config.command;
  return new Promise((done, fail) => {
    const { execFile } = process.getBuiltinModule("node:child_process");
    const start = (): ChildProcess =>
      execFile(
        command,
        [...(config.args ?? [])],
        {
          env: environment,
          encoding: "utf8",
          maxBuffer: 16 * 1024 * 1024,
          windowsHide: true,
          timeout: interactive ? 0 : longestRun,
          killSignal: "SIGKILL",
        },
        (error, stdout, stderr) => {
          if (error === null) return done(stdout);
          const missing = error.code === ("ENOENT" as unknown);
          const hint = missing && config.installHint ? `: ${config.installHint.trim()}` : "";
          const said = withoutCredentials(stderr.trim().split("\n").at(-1) ?? "", config);
          const why = missing ? "isn't installed" : `failed (${exitOf(error)})${said === "" ? "" : `: ${said}`}`;
          // Node's error isn't attached as the cause, because it quotes the whole command line.
          return fail(new Error(`the credential plugin ${config.command} ${why}${hint}`));
        },
      );
    const child = connecting(start);
    if (interactive && child.stdin) process.stdin.pipe(child.stdin);
    else child.stdin?.end();
    // Ignores the broken pipe of a plugin that doesn't read its input.
    child.stdin?.on("error", () => {});
    child.on("close", () => {
      if (interactive && child.stdin) process.stdin.unpipe(child.stdin);
    });
  });
}

function exitOf(error: Error): string {
  const { code, signal } = error as { code?: number | string | null; signal?: string | null };
  return signal ? `signal ${signal}` : typeof code === "number" ? `exit code ${code}` : String(code ?? "no exit code");
}

/** Matches a word that looks like a key or token: long, with letters and digits. */
const opaqueWord = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]{20,}$/;

/**
 * Returns a plugin's error output without values of its arguments and variables, and without words that look like tokens.
 */
function withoutCredentials(text: string, config: ExecConfig): string {
  const given = [...(config.args ?? []), ...(config.env ?? []).map(({ value }) => value)];
  return redactText(text)
    .slice(0, 500)
    .replaceAll(/[^\s"'`=:,;()<>[\]{}]+/g, (word) => {
      const isGiven = word.length > 2 && given.some((value) => value.includes(word));
      return word !== redactedText && (isGiven || opaqueWord.test(word)) ? redactedText : word;
    });
}

function parseCredential(config: ExecConfig, output: string): { identity: Identity; expires: number } {
  const complain = (what: string): Error => new Error(`the credential plugin ${config.command} ${what}`);
  let credential: ExecCredential;
  try {
    credential = JSON.parse(output) as ExecCredential;
  } catch {
    throw complain("printed no JSON");
  }
  if (credential?.kind !== "ExecCredential") throw complain("printed no ExecCredential");
  if (credential.apiVersion !== config.apiVersion) {
    throw complain(`returned ${credential.apiVersion}, but the kubeconfig requires ${config.apiVersion}`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = credential.status ?? {};
  if (!token && !(cert && key)) throw complain("gave neither a token nor a certificate with its key");
  const expires = expirationTimestamp ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY;
  if (Number.isNaN(expires)) throw complain(`returned the expiry ${expirationTimestamp}, which isn't a valid time`);
  const identity: Identity = {};
  if (token) identity.authorization = `Bearer ${token}`;
  if (cert && key) identity.certificate = { cert, key };
  return { identity, expires };
}
