import { expect, it } from "vitest";
import { searchPages } from "./pages.ts";

const pages = [
  {
    path: "a",
    title: "Finalizers",
    text: "# Finalizers\n\nClean up before deletion.\n\n## Add one\n\nCall add with one.",
  },
  { path: "b", title: "Conditions", text: "# Conditions\n\nReport a state. A finalizer is something else." },
  { path: "c", title: "Metrics", text: "# Metrics\n\nCount things." },
];
const uris = (query: string, limit = 5) => searchPages(pages, query, limit).map(({ title, uri }) => [title, uri]);

it("finds sections with the words of a query, titles first", () => {
  expect(uris("add one")).toEqual([["Finalizers: Add one", "kubewright://docs/a"]]);
  expect(uris("finalizer")).toEqual([
    ["Finalizers", "kubewright://docs/a"],
    ["Conditions", "kubewright://docs/b"],
  ]);
});

it("returns at most the limit, and nothing for unknown words", () => {
  expect(uris("finalizer", 1)).toHaveLength(1);
  expect(uris("zebra")).toEqual([]);
  expect(uris("…")).toEqual([]);
});

it("searches only the first 32 words of a query", () => {
  const others = Array.from({ length: 31 }, (_, index) => `word${index}`).join(" ");
  expect(uris(`${others} finalizer`)).toHaveLength(2);
  expect(uris(`${others} word31 finalizer`)).toEqual([]);
});
