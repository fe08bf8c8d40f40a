import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { unpackArchive } from "./archive.ts";
import { addControllerManager } from "./controller-manager.ts";
import { binariesToBuild, buildFromGo, cannotBuild } from "./go-build.ts";
import { withLock } from "./lock.ts";
import { placeRelease, removeRelease } from "./place.ts";
import { Problem } from "./problem.ts";
import type { Progress } from "./progress.ts";
import { readIndex } from "./release-index.ts";
import { binaryName, goArch, goOs, REQUIRED_BINARIES, type StoredRelease, storedReleases } from "./store.ts";
import { BUILDABLE_VERSIONS, type Selector } from "./versions.ts";

export interface UseOptions {
  store: string;
  os: string;
  arch: string;
  selector: Selector;
  installedOnly: boolean;
  force: boolean;
  verify: boolean;
  index: string;
  /** Base URL of the official Kubernetes binaries. */
  downloads: string;
  /** Whether the release must contain a kube-controller-manager. */
  controllerManager: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/** Finds a release in the store, or adds it from a release archive, or otherwise from Go modules. Throws a `Problem`. */
export async function use(options: UseOptions): Promise<StoredRelease> {
  const { selector, store, progress, signal } = options;
  const local = options.force ? undefined : installed(options);
  if (local && !selector.newest && isEnough(local, options)) return local;
  if (options.installedOnly || selector.onDisk) {
    const missing = local && !selector.newest ? `${local.directory} has no kube-controller-manager` : undefined;
    if (local && !missing) return local;
    throw new Problem(
      missing ?? `no installed release matches ${wanted(options)}; \`setup-envtest list -i\` shows what there is`,
    );
  }
  const waiting = () => progress.note("waiting for another setup-envtest to finish ...");
  return withLock(join(store, ".lock"), waiting, signal, async () => {
    // Another process may have added it while this process waited for the lock.
    const now = options.force ? undefined : installed(options);
    if (now && !selector.newest) return complete(now, options);
    sweep(store);
    return fill(options, now);
  });
}

async function fill(options: UseOptions, local: StoredRelease | undefined): Promise<StoredRelease> {
  const reasons: string[] = [];
  try {
    return await fromArchive(options, local);
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    reasons.push(`release archives: ${error.message}`);
  }
  if (local) return complete(local, options);
  const obstacle = whyNotBuild(options);
  if (obstacle === undefined) {
    options.progress.note(`${reasons[0]}; building from Go modules instead`);
    return fromGo(options);
  }
  throw new Problem(`no test servers for ${wanted(options)}: ${[...reasons, `building: ${obstacle}`].join("; ")}`);
}

async function fromArchive(options: UseOptions, local: StoredRelease | undefined): Promise<StoredRelease> {
  const { os, arch, selector, progress, signal } = options;
  const archives = await readIndex(options.index, signal);
  const archive = archives.find(
    (archive) => archive.os === os && archive.arch === arch && selector.matches(archive.version),
  );
  if (!archive) throw new Problem(`${options.index} has none for ${wanted(options)}`);
  const { version } = archive;
  if (local && installed({ ...options, selector: { ...selector, matches: (other) => other === version } })) {
    return complete(local, options);
  }
  return place(options, version, (directory) =>
    progress.step(`downloading Kubernetes ${version} for ${os}/${arch}`, () =>
      unpackArchive(archive, directory, options.verify, signal),
    ),
  );
}

function fromGo(options: UseOptions): Promise<StoredRelease> {
  const { progress, signal } = options;
  progress.note("this takes some minutes once; the result is kept");
  const version = buildableVersion(options) as string;
  return place(options, version, (directory) => buildFromGo(version, binariesToBuild(), directory, progress, signal));
}

/** Returns the newest release that matches and can be built. */
function buildableVersion({ selector }: UseOptions): string | undefined {
  return BUILDABLE_VERSIONS.find((version) => selector.matches(version));
}

function whyNotBuild(options: UseOptions): string | undefined {
  if (buildableVersion(options) === undefined) return `only ${BUILDABLE_VERSIONS.join(" and ")} are built`;
  if (!isNative(options)) return "only servers for this system are built";
  return cannotBuild();
}

async function place(
  options: UseOptions,
  version: string,
  make: (directory: string) => Promise<void>,
): Promise<StoredRelease> {
  const { store, os, arch } = options;
  return placeRelease(store, { version, os, arch }, async (directory) => {
    await make(directory);
    await complete({ version, os, arch, directory }, options);
  });
}

/** Adds the requested binaries that a release lacks. */
async function complete(release: StoredRelease, options: UseOptions): Promise<StoredRelease> {
  if (isEnough(release, options)) return release;
  // Go's setup-envtest makes its releases read-only.
  chmodSync(release.directory, 0o755);
  const { downloads, progress, signal } = options;
  const temporary = mkdtempSync(join(options.store, ".new-"));
  try {
    await addControllerManager({
      ...release,
      directory: temporary,
      downloads,
      native: isNative(options),
      progress,
      signal,
    });
    const file = binaryName("kube-controller-manager", release.os);
    renameSync(join(temporary, file), join(release.directory, file));
  } finally {
    removeRelease(temporary);
  }
  return release;
}

function installed(options: UseOptions): StoredRelease | undefined {
  return storedReleases(options.store).find(
    ({ os, arch, version }) => os === options.os && arch === options.arch && options.selector.matches(version),
  );
}

function isEnough(release: StoredRelease, options: UseOptions): boolean {
  if (!options.controllerManager) return true;
  return existsSync(join(release.directory, binaryName("kube-controller-manager", release.os)));
}

function isNative({ os, arch }: UseOptions): boolean {
  return os === goOs() && arch === goArch();
}

function wanted({ selector, os, arch }: UseOptions): string {
  return `${selector.text} on ${os}/${arch}`;
}

// Removes the files of killed runs, which is safe while holding the lock.
function sweep(store: string): void {
  for (const entry of readdirSync(store)) if (entry.startsWith(".new-")) removeRelease(join(store, entry));
}

/** Checks whether a directory outside the store contains the servers. */
export function holdsServers(directory: string): boolean {
  return REQUIRED_BINARIES.every((name) => existsSync(join(directory, binaryName(name))));
}
