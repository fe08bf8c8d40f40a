import { isJsonObject } from "../json/object.ts";
import type { ByteSource } from "./bytes.ts";
import type { ReadLine } from "./json-lines.ts";

/** Time in milliseconds after a bookmark within which the next one arrives, with some delay. */
const bookmarkSilence = 72_000;

/**
 * Limits the silence of a watch from its first bookmark on.
 *
 * kube-apiserver sends bookmarks only if the version has increased since the watch began, which can take ten minutes if no
 * object changes. From the first bookmark on, it sends one per minute. Bookmarks that end the initial events aren't periodic.
 *
 * @param read - parses the lines
 * @param body - the body of the watch
 * @returns a function that parses the lines
 */
export function limitedByBookmarks(read: ReadLine, body: Pick<ByteSource, "limitSilence">): ReadLine {
  let isLimited = false;
  return (text, what) => {
    const line = read(text, what);
    if (!isLimited && isPeriodicBookmark(line)) {
      isLimited = true;
      body.limitSilence(bookmarkSilence);
    }
    return line;
  };
}

function isPeriodicBookmark(line: unknown): boolean {
  if (!isJsonObject(line) || line.type !== "BOOKMARK" || !isJsonObject(line.object)) return false;
  const { metadata } = line.object;
  const annotations = isJsonObject(metadata) ? metadata.annotations : undefined;
  return !isJsonObject(annotations) || annotations["k8s.io/initial-events-end"] !== "true";
}
