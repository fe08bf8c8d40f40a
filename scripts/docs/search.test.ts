import { runInThisContext } from "node:vm";
import { expect, it } from "vitest";
import { searchOptions } from "../../docs/.vitepress/search.ts";

const { boostDocument, tokenize, processTerm } = searchOptions.miniSearch.searchOptions;

/** Returns a function as the browser gets it: from its text. */
const received = <T extends object>(given: T): T => runInThisContext(`(${given})`) as T;

it("the functions of the search need nothing outside themselves, because browsers get only their text", () => {
  expect(received(boostDocument)("/guides/webhooks.html#tls")).toBe(1.65);
  expect(received(boostDocument)("/index.html")).toBe(1);
  expect(received(processTerm)("K8s")).toEqual(["kubernetes"]);
  expect(received(processTerm)("Finalizer")).toBe("finalizer");
  expect(received(processTerm)("what")).toBeNull();
  expect(received(tokenize)("a-b c")).toEqual(["a", "b", "c"]);
});
