import { startOfProcess } from "@kubewright/apiserver/process";
import type { DevEvent, SessionFile } from "@kubewright/dashboard/protocol";
import { openInspection } from "./inspection/open.ts";
import { withWatchedNamespaces } from "./manager/watched-namespaces.ts";
import { type DevServer, openServer } from "./server/server.ts";
import { keepFiles } from "./session/kept-files.ts";
import { DevSession } from "./session/session.ts";
import { writeSecret } from "./setup/files.ts";
import type { DevOptions } from "./setup/options.ts";
import { onParentEnd } from "./setup/parent-end.ts";
import { clock } from "./view/clock.ts";
import { ErrorFrames } from "./view/error-frames.ts";
import { listenToKeys } from "./view/keys.ts";
import type { LabeledKind } from "./view/kind-labels.ts";
import { openBrowser } from "./view/open-browser.ts";
import { eventLines, failedBuildText, managerLine, painter } from "./view/plain.ts";
import { Retries } from "./view/retries.ts";

/** The input of `scaffold dev`. */
export interface RunOptions extends Omit<DevOptions, "onEvent" | "onFailedBuild" | "onLine"> {
  /** Whether to print one JSON object per line. */
  readonly json: boolean;
  /** Whether to leave out the lines of the manager. */
  readonly quiet: boolean;
  /** Whether to print the runtime's lines about its own start and end, too. */
  readonly verbose: boolean;
  readonly color: boolean;
  /** The keyboard; unset without a terminal. */
  readonly input: NodeJS.ReadStream | undefined;
  /** Calls a function if the reader of the output closes it. */
  readonly onClosed: (listener: () => void) => void;
  /** Directory of the dashboard's files; unset without one. */
  readonly assets: string | undefined;
  /** Prints lines for people. */
  readonly print: (text: string) => void;
  /** Prints an event for programs. */
  readonly printEvent: (event: DevEvent) => void;
  /** Prints a line that isn't a result. */
  readonly printAside: (line: string) => void;
}

const keyHelp = "r restart · g generate · a apply samples · o open the dashboard · p pause · q quit";

/**
 * Runs a session, and prints what happens, until the signal aborts or `q` is pressed.
 *
 * @throws ProblemError if the session can't start
 */
export async function runSession(options: RunOptions): Promise<void> {
  const { json, quiet, verbose, color, print, printEvent, printAside, input, assets } = options;
  const paint = painter(color);
  let server: DevServer | undefined;
  let stopKeeping = () => {};
  const note = (line: string): void => {
    if (!json) print(paint("dim", line));
  };
  const frames = new ErrorFrames(options.root);
  const retries = new Retries();
  const reconciledKinds = new Map<string, LabeledKind>();
  const session: DevSession = new DevSession({
    ...options,
    env: withWatchedNamespaces(options.root, options.project, options.env),
    onEvent(event) {
      if (json) return printEvent(event);
      if (retries.isRepeated(event)) return;
      const record = event.event === "reconciled" ? session.records.reconciles({}, 1)[0] : undefined;
      if (event.event === "reconciled") reconciledKinds.set(`${event.apiVersion} ${event.kind}`, event);
      const time = paint("dim", clock(event.time));
      const [first, ...more] = eventLines(event, paint, record, frames.of(event), [...reconciledKinds.values()]);
      if (first === undefined) return;
      print([`${time} ${first}`, ...more.map((line) => `         ${line}`)].join("\n"));
      if (event.event === "ready" && input) note(`         ${keyHelp}`);
    },
    onFailedBuild(pid) {
      if (!json) print(`         ${paint("yellow", failedBuildText(pid))}`);
    },
    onLine(line) {
      if (json) printAside(line);
      else if (!quiet) {
        const shown = managerLine(line, paint, options.root, { all: verbose, isInspected: session.isInspected });
        if (shown !== undefined) print(`         ${shown}`);
      }
    },
  });
  const restoreTerminal = input
    ? listenToKeys(input, {
        q: () => session.stop("quit"),
        r: () => {
          note("         restarting the manager");
          session.restart();
        },
        g: () => {
          note("         generating");
          session.generate();
        },
        a: () => {
          note("         applying the samples");
          session.applySamples();
        },
        y: () => void session.acceptLoss().catch((error: Error) => note(error.message)),
        p: () => void session.pause(!session.paused).catch((error: Error) => note(error.message)),
        o: () => {
          if (!server) return;
          const url = server.newDashboardUrl();
          note(url);
          openBrowser(url);
        },
      })
    : () => undefined;
  options.onClosed(() => session.stop("the output was closed"));
  const ignoreParent = onParentEnd(() => session.stop("the parent process has ended"));
  try {
    await session.run(async (running) => {
      const inspection = await openInspection(running);
      const { events, records } = running;
      const opened = await openServer({ controls: session, inspection, records }, events, assets);
      server = opened;
      const started = startOfProcess(process.pid);
      const file: SessionFile = { pid: process.pid, started, url: opened.url, token: opened.token };
      const write = () => writeSecret(running.paths.session, `${JSON.stringify(file)}\n`);
      write();
      stopKeeping = keepFiles(running, (reason) => session.stop(reason), write);
      return {
        url: opened.newDashboardUrl(),
        close: async (reason) => void (await Promise.all([opened.close(reason), inspection.close()])),
      };
    });
  } finally {
    stopKeeping();
    ignoreParent();
    restoreTerminal();
  }
}
