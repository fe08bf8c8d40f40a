import type { LookupOptions } from "./binaries.ts";
import { defaultStoreDirectory, goArch, goOs } from "./store.ts";

export interface DownloadOptions {
  /** Where releases are kept, each in a directory of its own; setup-envtest's store by default. */
  binaryAssetsDirectory?: string;
  /** As `setup-envtest use` takes it: `1.36.3`, `1.36`, `latest` …; the minor release of the core types by default. */
  downloadBinaryAssetsVersion?: string;
  /** The list of releases; that of controller-tools by default. */
  downloadBinaryAssetsIndexURL?: string;
}

/** Gets a release where it isn't there yet, as setup-envtest does. What it gives leads to that release and nowhere else. */
export async function downloadedAssets(options: DownloadOptions, controllerManager: boolean): Promise<LookupOptions> {
  // Most environments download nothing: what does it is loaded for those that do.
  const [{ DEFAULT_DOWNLOADS, DEFAULT_INDEX }, { createProgress }, { use }, { parseSelector }] = await Promise.all([
    import("./setup/release-index.ts"),
    import("./setup/progress.ts"),
    import("./setup/use.ts"),
    import("./setup/versions.ts"),
  ]);
  const { downloadBinaryAssetsVersion: version } = options;
  const selector = parseSelector(version || undefined);
  if (!selector) throw new Error(`downloadBinaryAssetsVersion: ${version} is no version: say 1.36.3, 1.36 or latest`);
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
