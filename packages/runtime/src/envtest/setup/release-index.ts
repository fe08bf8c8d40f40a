import { load } from "js-yaml";
import { downloadText } from "./download.ts";
import { Problem } from "./problem.ts";
import { compareVersions } from "./store.ts";

/** Base URL of the official Kubernetes binaries. */
export const DEFAULT_DOWNLOADS: string = "https://dl.k8s.io";

/** URL of controller-tools' index of releases of etcd, kube-apiserver and kubectl. */
export const DEFAULT_INDEX =
  "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/** A release archive. */
export interface Archive {
  version: string;
  os: string;
  arch: string;
  url: string;
  /** Hex digest. */
  sha512: string;
}

interface IndexDocument {
  releases?: Record<string, Record<string, { hash?: string; selfLink?: string }>>;
}

/** Returns all release archives of an index, newest first. Throws a `Problem` if the index can't be read. */
export async function readIndex(url: string, signal: AbortSignal): Promise<Archive[]> {
  const text = await downloadText(url, signal);
  let document: IndexDocument | null;
  try {
    document = load(text) as IndexDocument | null;
  } catch {
    throw new Problem(`${url} isn't an index of releases`);
  }
  if (typeof document !== "object" || typeof document?.releases !== "object") {
    throw new Problem(`${url} isn't an index of releases`);
  }
  const archives: Archive[] = [];
  for (const [tag, files] of Object.entries(document.releases)) {
    // Skips pre-releases, which version expressions can't select.
    const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
    for (const [file, { hash, selfLink }] of Object.entries(files ?? {})) {
      const [, os, arch] = /^envtest-v[\d.]+-([a-z0-9]+)-([a-z0-9]+)\.tar\.gz$/.exec(file) ?? [];
      if (version && os && arch && hash && selfLink) archives.push({ version, os, arch, url: selfLink, sha512: hash });
    }
  }
  return archives.sort((a, b) => compareVersions(b.version, a.version));
}
