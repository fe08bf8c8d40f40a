import type { LookupOptions } from "./binaries.ts";
import { defaultStoreDirectory, goArch, goOs } from "./setup/store.ts";

/** Options to download the servers. */
export interface DownloadOptions {
  /**
   * Directory for downloaded releases, each in its own subdirectory.
   *
   * @defaultValue setup-envtest's store
   */
  binaryAssetsDirectory?: string;
  /**
   * Version in the format of `setup-envtest use`: `1.37.2`, `1.37`, `latest` …
   *
   * @defaultValue the newest release of the minor version that the embedded API server has
   */
  downloadBinaryAssetsVersion?: string;
  /**
   * URL of the list of releases.
   *
   * @defaultValue that of controller-tools
   */
  downloadBinaryAssetsIndexURL?: string;
}

/** Downloads a release if it is missing, like setup-envtest. The result refers only to that release. */
export async function downloadedAssets(
  options: DownloadOptions & { kubernetesVersion?: string },
  controllerManager: boolean,
): Promise<LookupOptions> {
  // Loaded on demand, since most environments download nothing.
  const [{ DEFAULT_DOWNLOADS, DEFAULT_INDEX }, { createProgress }, { use }, { parseSelector }] = await Promise.all([
    import("./setup/release-index.ts"),
    import("./setup/progress.ts"),
    import("./setup/use.ts"),
    import("./setup/versions.ts"),
  ]);
  const { downloadBinaryAssetsVersion: version = options.kubernetesVersion } = options;
  const selector = parseSelector(version || undefined);
  if (!selector)
    throw new Error(
      `invalid downloadBinaryAssetsVersion ${version}: it must be a version such as 1.37.2 or 1.37, or latest`,
    );
  const { directory } = await use({
    store: options.binaryAssetsDirectory ?? defaultStoreDirectory(),
    os: goOs(),
    arch: goArch(),
    selector,
    installedOnly: false,
    force: false,
    verify: true,
    index: options.downloadBinaryAssetsIndexURL ?? DEFAULT_INDEX,
    downloads: DEFAULT_DOWNLOADS,
    controllerManager,
    progress: createProgress(),
    signal: new AbortController().signal,
  });
  return { binaryAssetsDirectory: directory, env: {} };
}
