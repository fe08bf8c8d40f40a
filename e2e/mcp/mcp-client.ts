// Connects the official client to `scaffold mcp`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";

/** The protocol with a handshake, in its revisions before 2026-07-28, and the current one. */
export const eras = [
  ["with a handshake", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const;

export type Era = (typeof eras)[number][1];

/** Options of {@link connect}. */
interface Options {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The answer of the person; without it, the client can't ask. */
  readonly agrees?: boolean;
}

/** A connected client. */
export interface Connection {
  readonly client: Client;
  /** The process of the server. */
  readonly pid: number;
  /** The questions to the person. */
  readonly questions: readonly string[];
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool that must succeed, and returns its data. */
  data<T>(name: string, args?: Record<string, unknown>): Promise<T>;
  /** Calls a tool that must fail, and returns its text. */
  failure(name: string, args?: Record<string, unknown>): Promise<string>;
}

/** Starts a server in a directory, and connects a client to it. */
export async function connect(
  cwd: string,
  mode: Era,
  { flags = [], env = {}, agrees }: Options = {},
): Promise<Connection> {
  const capabilities = agrees === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode }, capabilities });
  const questions: string[] = [];
  if (agrees !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      questions.push(params.message);
      return agrees ? { action: "accept" as const, content: { confirm: true } } : { action: "decline" as const };
    });
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [scaffoldBin, "mcp", ...flags],
    cwd,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  const call: Connection["call"] = async (name, args = {}) =>
    (await client.callTool({ name, arguments: args }, { timeout: 180_000 })) as CallToolResult;
  return {
    client,
    pid: transport.pid ?? 0,
    questions,
    call,
    async data<T>(name: string, args?: Record<string, unknown>) {
      const result = await call(name, args);
      expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
      return result.structuredContent as T;
    },
    async failure(name, args) {
      const result = await call(name, args);
      expect(result.isError, JSON.stringify(result)).toBe(true);
      expect(result.content).toHaveLength(1);
      return (result.content as { text: string }[])[0]?.text ?? "";
    },
  };
}

/** Returns the command lines of the processes that a process has started. */
export async function childrenOf(parent: number): Promise<string[]> {
  const { stdout } = await run("ps", ["-eo", "ppid,args"], {});
  return stdout.split("\n").filter((line) => line.trimStart().startsWith(`${parent} `));
}

/** The answer of the tool `scaffold`. */
export interface Planned {
  readonly plan: string;
  readonly destructive: boolean;
  readonly commandLine: string;
  readonly operations: readonly { readonly op: string; readonly path: string; readonly diff?: string }[];
}

/** Returns the paths and contents of a project's own files. */
export function filesOf(directory: string): Record<string, string> {
  const own = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/node_modules|vendor/.test(entry.parentPath),
  );
  return Object.fromEntries(
    own.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}
