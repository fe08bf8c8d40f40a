// Describes the machine of the measurements, without names, because results are published.
import { existsSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** Returns one line with the cores, memory, operating system, Node version and load. */
export function machineFacts(): string {
  const [first] = cpus();
  const model = (first?.model ?? "unknown CPU").replace(/\s+/g, " ").trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const cores = cpus().length;
  const facts = [
    `${cores} ${cores === 1 ? "core" : "cores"} (${model})`,
    memory,
    `${process.platform} ${process.arch}`,
  ];
  const waiting = busy();
  return [...facts, `Node ${process.version}`, ...(waiting === undefined ? [] : [waiting])].join(", ");
}

/** Returns the share of the last five minutes in which a process waited for a core, as reported by Linux. */
function busy(): string | undefined {
  const pressure = "/proc/pressure/cpu";
  if (!existsSync(pressure)) return undefined;
  const share = /^some .*avg300=([\d.]+)/m.exec(readFileSync(pressure, "utf8"))?.[1];
  return share === undefined
    ? undefined
    : `${Math.round(Number(share))} % of the five minutes before, something waited for a core`;
}
