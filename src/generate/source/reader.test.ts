import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => vi.resetModules());

afterEach(() => {
  vi.doUnmock("../../parser/oxc.ts");
  vi.resetModules();
});

const text = 'export interface A { a: "b" }';

it("createReader returns the fast reader, unless the other one is requested", async () => {
  const parse = vi.fn(() => ({ errors: [{}] }));
  vi.doMock("../../parser/oxc.ts", () => ({ openOxc: async () => parse }));
  const { createReader } = await import("./reader.ts");
  (await createReader("ts-morph")).parse("/a.ts", text);
  expect(parse).not.toHaveBeenCalled();
  expect((await createReader("auto")).parse("/a.ts", text).declarations).toHaveLength(1);
  expect(parse).toHaveBeenCalledWith("/a.ts", text);
});

it("createReader returns the complete reader if the fast one has no binary", async () => {
  vi.doMock("../../parser/oxc.ts", () => ({ openOxc: async () => undefined }));
  const { createReader } = await import("./reader.ts");
  expect((await createReader("auto")).parse("/a.ts", text).declarations).toHaveLength(1);
});
