import { expect, it } from "vitest";
import { watchNamespacesFromEnv } from "./watch-namespaces.ts";

it.each([
  ["a", ["a"]],
  ["a,b", ["a", "b"]],
  [" a, b ,", ["a", "b"]],
])("watchNamespacesFromEnv returns the namespaces in WATCH_NAMESPACE=%j", (value, names) => {
  expect(Object.keys(watchNamespacesFromEnv({ WATCH_NAMESPACE: value }))).toEqual(names);
});

it.each([[undefined], [""], [" , "]])("watchNamespacesFromEnv rejects WATCH_NAMESPACE=%j", (value) => {
  expect(() => watchNamespacesFromEnv({ WATCH_NAMESPACE: value })).toThrow(
    "WATCH_NAMESPACE must contain at least one namespace to watch",
  );
});
