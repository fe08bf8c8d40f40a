import { join } from "node:path";
import { Application, type Context, Converter } from "typedoc";
import { expect, it } from "vitest";
import { type CheckedApi, gapsInComments } from "./completeness.ts";

it("finds gaps", async () => {
  expect(gapsInComments(await apiOf("gaps.ts"))).toEqual([
    "Thing.method: no summary",
    "Thing.method(value): no @param",
    "Thing.method: no @returns",
    "Options.bufferSize: no unit of size",
    "Options.timeout: no unit of time",
    "Options.undocumented: no summary",
    "noParam(value): no @param",
    "noReturns: no @returns",
    "noSummary: no summary",
    "noThrows: no @throws",
    "noThrowsInCatch: no @throws",
  ]);
});

const testdata = join(import.meta.dirname, "testdata");

async function apiOf(file: string): Promise<CheckedApi> {
  const app = await Application.bootstrap({
    entryPoints: [join(testdata, file).replaceAll("\\", "/")],
    tsconfig: join(testdata, "tsconfig.json"),
    skipErrorChecking: true,
    disableSources: true,
    disableGit: true,
    readme: "none",
    logLevel: "Error",
  });
  let converted: Context | undefined;
  app.converter.on(Converter.EVENT_END, (context) => {
    converted = context;
  });
  const project = await app.convert();
  if (project === undefined || converted === undefined) throw new Error(`${file} can't be read`);
  const context = converted;
  // With a single entry point, the project is its module.
  const modules = [project] as unknown as CheckedApi["modules"];
  return {
    project,
    modules,
    declarationsOf: (reflection) => context.getSymbolFromReflection(reflection)?.declarations ?? [],
  };
}
