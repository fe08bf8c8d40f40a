import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it, vi } from "vitest";
import { setupSignalHandler } from "./signals.ts";

const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
afterAll(() => {
  process.removeAllListeners("SIGTERM");
  process.removeAllListeners("SIGINT");
  vi.useRealTimers();
  exit.mockRestore();
});

it("setupSignalHandler aborts on the first signal, ignores its repetition, and exits with 1 on the second", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const signal = setupSignalHandler();
  expect(signal.aborted).toBe(false);
  process.emit("SIGTERM");
  expect(signal.aborted).toBe(true);
  // Each process of a group receives the signal, and npm forwards it to its child, which takes longer on a busy machine.
  vi.advanceTimersByTime(400);
  process.emit("SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  process.emit("SIGINT");
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(() => setupSignalHandler()).toThrow("once");
});

it.runIf(process.platform !== "win32")(
  "setupSignalHandler aborts in an npm script if the shell between npm and the manager doesn't pass on the signal",
  async () => {
    const module = JSON.stringify(fileURLToPath(new URL("signals.ts", import.meta.url)));
    const program = `
      const { setupSignalHandler } = await import(${module});
      const signal = setupSignalHandler();
      const timer = setInterval(() => {}, 1000);
      signal.addEventListener("abort", () => { clearInterval(timer); console.log(signal.reason.message); });
      console.log("ready");`;
    // The command after it prevents that the shell replaces itself by node.
    const script = '"$0" --import tsx --input-type=module -e "$1"; true';
    const shell = spawn("sh", ["-c", script, process.execPath, program], {
      env: { ...process.env, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    const ended = new Promise((resolve) => shell.stdout.once("close", resolve));
    shell.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (text.includes("ready")) shell.kill("SIGTERM");
    });
    await ended;
    expect(output).toBe("ready\nreceived SIGTERM\n");
  },
);
