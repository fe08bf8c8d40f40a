// The embedded API server as a process, and a client that is the same for each server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:https";
import { type Config, loadConfig } from "@kubewright/runtime";
import { apiserverProgram } from "../../scripts/test-support/scaffold.ts";
import { environment, started } from "./process.ts";

/** Milliseconds until an answer, or the end of a server. */
const longest = 60_000;
/** Requests that a client sends at a time, each on its own connection. */
export const connections = 10;

/** A client of a server: HTTP/1.1 over kept connections, with the certificate of an administrator. */
export class Client {
  readonly #host: string;
  readonly #tls: { ca?: string; cert?: string; key?: string };
  readonly #agent: Agent;

  constructor({ host, ca, cert, key }: Config) {
    this.#host = host;
    this.#tls = { ca, cert, key };
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ...this.#tls });
  }

  /** Sends a request. Resolves to the body, and rejects if the status isn't 2xx. */
  send(method: string, path: string, body?: object, type = "application/json"): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = text === undefined ? {} : { "content-type": type, "content-length": Buffer.byteLength(text) };
      const options = { method, agent: this.#agent, headers, timeout: longest };
      const sent = request(`${this.#host}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const answer = Buffer.concat(chunks);
          if (response.statusCode !== undefined && response.statusCode < 300) resolve(answer);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
        });
      });
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no answer`)));
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** Opens a watch on its own connection. Calls `onEvent` for each event. Resolves to a function that ends the watch. */
  watch(path: string, onEvent: () => void): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#host}${path}`, { agent: new Agent(this.#tls) }, (response) => {
        let rest = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          const lines = (rest + text).split("\n");
          rest = lines.pop() ?? "";
          for (const _ of lines) onEvent();
        });
        response.on("error", () => {});
        resolve(() => sent.destroy());
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A running server. */
export interface EmbeddedServer {
  readonly config: Config;
  readonly pid: number;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Starts the command of the package. Resolves when it has written its kubeconfig. */
export async function startEmbedded(...flags: string[]): Promise<EmbeddedServer> {
  const child = spawn(process.execPath, [apiserverProgram, ...flags], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [kubeconfig] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(([code]) => Promise.reject(new Error(`kubewright-apiserver ended with ${code}`))),
  ]);
  const config = loadConfig({ kubeconfig: String(kubeconfig).trim() });
  return { config, pid: started(child), stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), longest);
  child.kill("SIGTERM");
  await ended;
  clearTimeout(timer);
  if (child.signalCode === "SIGKILL") throw new Error("SIGTERM doesn't end the server");
}
