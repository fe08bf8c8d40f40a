// A server of the package's command, with the credentials of its kubeconfig.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { apiserverProgram } from "../../scripts/test-support/scaffold.ts";

/** A running server and its credentials. */
export class Server {
  /** The connection's options: URL, and the credentials of an administrator. */
  readonly url: URL;
  readonly credentials: { ca: Buffer; cert: Buffer; key: Buffer };
  readonly #child: ChildProcess;
  readonly #agent: Agent;

  private constructor(child: ChildProcess, kubeconfig: string) {
    const { clusters, users } = JSON.parse(readFileSync(kubeconfig, "utf8"));
    const decode = (text: string): Buffer => Buffer.from(text, "base64");
    this.#child = child;
    this.url = new URL(clusters[0].cluster.server);
    this.credentials = {
      ca: decode(clusters[0].cluster["certificate-authority-data"]),
      cert: decode(users[0].user["client-certificate-data"]),
      key: decode(users[0].user["client-key-data"]),
    };
    this.#agent = new Agent({ keepAlive: true, ...this.credentials });
  }

  /** Starts a server. */
  static async start(...flags: string[]): Promise<Server> {
    const child = spawn(process.execPath, [apiserverProgram, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    const kubeconfig = await new Promise<string>((resolve, reject) => {
      child.stdout?.once("data", (text) => resolve(String(text).trim()));
      child.once("exit", (code) => reject(new Error(`kubewright-apiserver ended with ${code}: ${errors}`)));
    });
    return new Server(child, kubeconfig);
  }

  /** @returns the status and the body; the promise is rejected if the server ends before the response is complete */
  send(
    method: string,
    path: string,
    body?: object | string | Buffer,
    type = "application/json",
  ): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": type };
      const call = request(new URL(path, this.url), { method, agent: this.#agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
        response.on("error", reject);
      });
      call.on("error", reject);
      const isText = typeof body === "string" || Buffer.isBuffer(body);
      call.end(body === undefined || isText ? body : JSON.stringify(body));
    });
  }

  /** The process; undefined if it has ended. */
  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill(signal);
    await ended;
    this.#agent.destroy();
  }
}
