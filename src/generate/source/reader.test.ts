import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("oxc-parser");
  vi.resetModules();
});

const text = 'export interface A { a: "b" }';

it("reads with the fast reader, unless asked not to", async () => {
  const parseSync = vi.fn(() => ({ errors: [{}] }));
  vi.doMock("oxc-parser", () => ({ parseSync }));
  const { createReader } = await import("./reader.ts");
  (await createReader("ts-morph")).parse("/a.ts", text);
  expect(parseSync).not.toHaveBeenCalled();
  expect((await createReader("auto")).parse("/a.ts", text).declarations).toHaveLength(1);
  expect(parseSync).toHaveBeenCalledWith("/a.ts", text);
});

it("reads with the complete reader where the fast one has no binary", async () => {
  vi.doMock("oxc-parser", () => {
    throw new Error("Cannot find native binding.");
  });
  const { createReader } = await import("./reader.ts");
  expect((await createReader("auto")).parse("/a.ts", text).declarations).toHaveLength(1);
});
