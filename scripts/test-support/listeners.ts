// The addresses that processes listen on, as `ss -ltnp` shows them. Only on Linux.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** An address on which a process accepts connections. */
export interface Listener {
  readonly pid: number;
  /** Such as `127.0.0.1`, `::1`, or `::` for all interfaces. */
  readonly host: string;
  readonly port: number;
}

/** Returns a process and all that it has started, directly or not. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    // The name of the program, in parentheses, can contain spaces.
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const pids = new Set([root]);
  for (const pid of pids) for (const [child, parent] of parents) if (parent === pid) pids.add(child);
  return [...pids];
}

/** Returns what processes listen on. */
export function listeners(pids: readonly number[]): Listener[] {
  const sockets = new Map<string, { host: string; port: number }>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of read(file).split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      const [host = "", port = ""] = local.split(":");
      if (state === "0A") sockets.set(inode, { host: hostOf(host), port: Number.parseInt(port, 16) });
    }
  }
  return pids.flatMap((pid) =>
    links(`/proc/${pid}/fd`).flatMap((link) => {
      const socket = sockets.get(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? "");
      return socket ? [{ pid, ...socket }] : [];
    }),
  );
}

/** Returns those that other machines can reach. */
export function exposed(all: readonly Listener[]): Listener[] {
  return all.filter(({ host }) => !/^(?:127\.|::1$|::ffff:127\.)/.test(host));
}

/** Formats an address of /proc/net, whose groups of four bytes are in the order of the processor. */
function hostOf(hex: string): string {
  const words = (hex.match(/.{8}/g) ?? []).map((word) => Buffer.from(word, "hex").reverse());
  const bytes = Buffer.concat(words);
  if (bytes.length === 4) return bytes.join(".");
  const text = bytes.toString("hex").replace(/(.{4})(?=.)/g, "$1:");
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has ended.
    return "";
  }
}

function links(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      try {
        return readlinkSync(`${directory}/${name}`);
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
