import { readFileSync } from "node:fs";
import { constants } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/**
 * Waits until a process has a handler for a signal, as after the start of a command. Other systems than Linux don't show
 * this; there it waits for three seconds.
 */
export async function untilCaught(pid: number | undefined, signal: "SIGTERM" | "SIGINT"): Promise<void> {
  if (process.platform !== "linux") return void (await sleep(3000));
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  await expect
    .poll(() => {
      const [, caught = "0"] = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return (BigInt(`0x${caught}`) & bit) !== 0n;
    })
    .toBe(true);
}
