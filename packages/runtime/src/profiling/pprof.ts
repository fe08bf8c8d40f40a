import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Session } from "node:inspector/promises";
import { pathOf, queryOf } from "../http/path.ts";
import { errorText } from "../log/error-text.ts";
import type { Logger } from "../log/logger.ts";

const root = "/debug/pprof/";
const defaultSeconds = 30;
const longestSeconds = 600;

const index = `CPU profiles and heap snapshots of this process. Open them with the DevTools of Chrome or in VS Code.

profile?seconds=30   CPU profile (.cpuprofile)
allocs?seconds=30    where memory was allocated meanwhile (.heapprofile)
heap                 all objects (.heapsnapshot); the process stands still while it is taken, and all its secrets are in it
`;

/**
 * Serves profiles with the paths of Go's `net/http/pprof`, in V8's formats. Only one at a time, since they disturb each
 * other.
 */
export function pprofListener(log: Logger): RequestListener {
  let isBusy = false;
  const profiles = new Map<string, (request: ProfileRequest) => Promise<void>>([
    ["profile", cpuProfile],
    ["allocs", allocations],
    ["heap", heapSnapshot],
  ]);
  return async (request, response) => {
    const pathname = pathOf(request.url);
    if (pathname === root || pathname === root.slice(0, -1)) return text(response, 200, index);
    const profile = pathname.startsWith(root) ? profiles.get(pathname.slice(root.length)) : undefined;
    if (!profile) return text(response, 404, `${pathname} not found: see ${root}\n`);
    const seconds = secondsOf(queryOf(request.url).get("seconds"));
    if (seconds === undefined) return text(response, 400, `seconds must be a number from 1 to ${longestSeconds}\n`);
    if (isBusy) return text(response, 409, "another profile is in progress\n");
    isBusy = true;
    const { Session } = process.getBuiltinModule("node:inspector/promises");
    const session = new Session();
    session.connect();
    try {
      await profile({ session, request, response, seconds });
    } catch (error) {
      log.error(error, "Profile failed", { path: pathname });
      if (!response.headersSent) text(response, 500, `${errorText(error)}\n`);
      else response.destroy();
    } finally {
      session.disconnect();
      isBusy = false;
    }
  };
}

interface ProfileRequest {
  session: Session;
  request: IncomingMessage;
  response: ServerResponse;
  seconds: number;
}

async function cpuProfile({ session, request, response, seconds }: ProfileRequest): Promise<void> {
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  await wait(request, seconds);
  const { profile } = await session.post("Profiler.stop");
  attach(response, "cpuprofile").end(JSON.stringify(profile));
}

async function allocations({ session, request, response, seconds }: ProfileRequest): Promise<void> {
  await session.post("HeapProfiler.enable");
  await session.post("HeapProfiler.startSampling");
  await wait(request, seconds);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  attach(response, "heapprofile").end(JSON.stringify(profile));
}

async function heapSnapshot({ session, response }: ProfileRequest): Promise<void> {
  attach(response, "heapsnapshot");
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ params }) => response.write(params.chunk));
  await session.post("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  response.end();
}

/** Waits until the time is over or the client disconnects. */
function wait(request: IncomingMessage, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000).unref();
    request.socket.once("close", done);
  });
}

function secondsOf(value: string | null): number | undefined {
  if (value === null) return defaultSeconds;
  const seconds = Number(value);
  return seconds >= 1 && seconds <= longestSeconds ? seconds : undefined;
}

function attach(response: ServerResponse, extension: string): ServerResponse {
  const name = `${process.pid}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.${extension}`;
  return response.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${name}"`,
  });
}

function text(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(body);
}
