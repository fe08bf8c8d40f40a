import { expect, it } from "vitest";
import { limitedByBookmarks } from "./bookmarks.ts";
import { jsonLine } from "./json-lines.ts";

it("a watch may be silent until its first periodic bookmark, because real servers send none before the version increases", () => {
  const limits: number[] = [];
  const read = limitedByBookmarks(jsonLine, { limitSilence: (milliseconds) => limits.push(milliseconds) });
  const annotations = { "k8s.io/initial-events-end": "true" };
  const before = [
    { type: "ADDED", object: { metadata: { name: "a" } } },
    { type: "BOOKMARK", object: { metadata: { resourceVersion: "7", annotations } } },
    { type: "MODIFIED", object: { metadata: { name: "a" } } },
    { type: "BOOKMARK" },
    { type: "ERROR", object: {} },
    null,
  ];
  for (const line of before) expect(read(JSON.stringify(line), "watch")).toEqual(line);
  expect(limits).toEqual([]);
  const bookmark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "9", annotations: {} } } };
  for (let count = 0; count < 3; count++) expect(read(JSON.stringify(bookmark), "watch")).toEqual(bookmark);
  expect(limits).toEqual([72_000]);
});
