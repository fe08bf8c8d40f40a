import { type Replay, replayPage } from "@kubewright/dashboard/protocol";
import { PageServer } from "../server/page-server.ts";
import { onParentEnd } from "../setup/parent-end.ts";
import { listenToKeys } from "../view/keys.ts";
import { openBrowser } from "../view/open-browser.ts";

/** The input of `scaffold dev --replay`. */
export interface ReplayOptions {
  readonly replay: Replay;
  readonly signal: AbortSignal;
  /** The keyboard; unset without a terminal. */
  readonly input: NodeJS.ReadStream | undefined;
  /** Directory of the dashboard's files; unset without one. */
  readonly assets: string | undefined;
  /** Called when the page is served, with a URL that works once. */
  readonly onReady: (url: string, durationMs: number) => void;
  /** Called for each URL that the user requests. */
  readonly onUrl: (url: string) => void;
}

/**
 * Serves the findings of a simulation to the dashboard until the signal aborts or `q` is pressed. It needs no cluster.
 *
 * @returns why it ended
 */
export async function runReplay(options: ReplayOptions): Promise<string> {
  const { replay, signal, input, assets, onReady, onUrl } = options;
  const started = performance.now();
  const routes = new Map([["GET /api/replay", () => replay]]);
  const server = new PageServer({ assets, start: replayPage, routes });
  await server.listen();
  try {
    return await new Promise<string>((resolve) => {
      const restoreTerminal = input
        ? listenToKeys(input, {
            q: () => end("quit"),
            o: () => {
              const url = server.newPageUrl();
              onUrl(url);
              openBrowser(url);
            },
          })
        : () => undefined;
      const ignoreParent = onParentEnd(() => end("the parent process has ended"));
      const end = (reason: string): void => {
        ignoreParent();
        restoreTerminal();
        resolve(reason);
      };
      onReady(server.newPageUrl(), Math.round(performance.now() - started));
      if (signal.aborted) end("interrupted");
      signal.addEventListener("abort", () => end("interrupted"), { once: true });
    });
  } finally {
    await server.close();
  }
}
