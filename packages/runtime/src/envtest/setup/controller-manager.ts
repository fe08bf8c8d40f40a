import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { downloadFile, downloadText } from "./download.ts";
import { buildFromGo, cannotBuild } from "./go-build.ts";
import { Problem } from "./problem.ts";
import type { Progress } from "./progress.ts";
import { binaryName } from "./store.ts";
import { BUILDABLE_VERSIONS } from "./versions.ts";

const NAME = "kube-controller-manager";

export interface AddControllerManager {
  version: string;
  os: string;
  arch: string;
  directory: string;
  /** Base URL of the official Kubernetes binaries. */
  downloads: string;
  /** Whether the binary can be built here, because the target is this platform. */
  native: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Adds kube-controller-manager, which the release archives don't contain: from the official Kubernetes binaries (Linux
 * only), or from Go modules. Throws a `Problem` if both fail.
 */
export async function addControllerManager(options: AddControllerManager): Promise<void> {
  const { version, os, arch, directory, progress, signal } = options;
  const reasons: string[] = [];
  if (os === "linux") {
    const url = `${options.downloads}/v${version}/bin/${os}/${arch}/${NAME}`;
    try {
      const sha512 = (await downloadText(`${url}.sha512`, signal)).trim().split(/\s/)[0] ?? "";
      const file = join(directory, NAME);
      await progress.step(`downloading ${NAME} ${version}`, () => downloadFile(url, file, sha512, signal));
      await chmod(file, 0o755);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      reasons.push(error.message);
    }
  } else reasons.push(`no binary is published for ${os}`);
  const isBuildable = BUILDABLE_VERSIONS.includes(version) && options.native;
  const obstacle = isBuildable ? cannotBuild() : `only ${BUILDABLE_VERSIONS.join(" and ")} are built`;
  if (obstacle === undefined) return buildFromGo(version, [NAME], directory, progress, signal);
  throw new Problem(`no ${binaryName(NAME, os)} ${version}: ${[...reasons, obstacle].join("; ")}`);
}
