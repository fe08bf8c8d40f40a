import { join } from "node:path";
import { type Flags, toArguments } from "./flags.ts";
import { probeStatus } from "./probe.ts";
import type { Program, ServerSpec } from "./server.ts";

export interface EtcdOptions {
  program: Program;
  directory: string;
  clientPort: number;
  peerPort: number;
  startTimeout: number;
  flags?: Flags;
  attachOutput: boolean;
}

/** Returns the command line of a single-member etcd that stores its data in the environment's directory. */
export function etcdSpec(options: EtcdOptions): ServerSpec {
  const url = etcdUrl(options.clientPort);
  const defaults: Flags = {
    "data-dir": join(options.directory, "etcd"),
    "listen-peer-urls": `http://127.0.0.1:${options.peerPort}`,
    "listen-client-urls": url,
    "advertise-client-urls": url,
    // The data is removed with the environment, so it doesn't have to reach the disk.
    "unsafe-no-fsync": "true",
  };
  return {
    name: "etcd",
    path: options.program.path,
    args: [...options.program.args, ...toArguments(defaults, options.flags)],
    log: options.attachOutput ? undefined : join(options.directory, "etcd.log"),
    startTimeout: options.startTimeout,
    ready: async (signal) => (await probeStatus(`${url}/health`, { signal })) === 200,
  };
}

export function etcdUrl(clientPort: number): string {
  return `http://127.0.0.1:${clientPort}`;
}
