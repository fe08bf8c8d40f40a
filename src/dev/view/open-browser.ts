import { spawn } from "node:child_process";

/** Opens a URL in the user's browser. Without one, nothing happens. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command as string, args, { stdio: "ignore", detached: true });
  child.once("error", () => undefined);
  child.unref();
}
