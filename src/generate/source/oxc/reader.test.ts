import { expect } from "vitest";
import type { SourceReader } from "../model.ts";
import { describeReader } from "../test-support/reader-suite.ts";
import { createTsMorphReader } from "../ts-morph/reader.ts";
import { createOxcReader } from "./reader.ts";

async function create(): Promise<SourceReader> {
  const reader = await createOxcReader(createTsMorphReader());
  expect(reader).toBeDefined();
  return reader as SourceReader;
}

describeReader("oxc", create);
