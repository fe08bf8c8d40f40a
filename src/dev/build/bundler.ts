import { createHash } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DevProblem } from "@kubewright/dashboard/protocol";
import type { Project } from "../../project/project-file.ts";
import { localBundleOptions } from "../../tasks/bundle.ts";
import { projectPackage } from "../../tasks/programs.ts";
import { prepareBundles } from "../setup/files.ts";
import { codeFrame } from "./code-frame.ts";
import { type BundleInputs, conversionCode } from "./conversion-code.ts";
import { holdUntilStart } from "./hold.ts";
import { endWithSession } from "./session-end.ts";

interface EsbuildMessage {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

interface EsbuildResult {
  readonly metafile?: { readonly inputs: BundleInputs };
  readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array; readonly text: string }[];
}

interface Esbuild {
  context(options: object): Promise<{ rebuild(): Promise<EsbuildResult>; dispose(): Promise<void> }>;
}

/** A bundle without errors. */
export interface GoodBundle {
  /** Identifies the code. */
  readonly hash: string;
  /** The files that it contains, as absolute paths. */
  readonly inputs: readonly string[];
  /** Identifies the code of its conversions, see {@link conversionCode}. */
  readonly conversions: string;
  /** Writes it, and returns the path. */
  write(): string;
}

/** The result of a build. */
export type Bundle = GoodBundle | { readonly problems: readonly DevProblem[] };

/** Returns a function that waits for a build, and returns the files of its bundle. */
export function inputsOf(built: Promise<Bundle>): () => Promise<readonly string[]> {
  // The caller that waits for the build handles its failure, perhaps later.
  built.catch(() => undefined);
  return () => built.then((bundle) => ("inputs" in bundle ? bundle.inputs : []));
}

/** Files that control how imports are resolved: without them, each import of the project may fail. */
const settingsFile = /(?:^|\/)(?:package|tsconfig[^/]*)\.json$/;

/** Number of bundles that are kept: a manager that still stops reads the source map of its own. */
const kept = 3;

/** Removes a bundle that was written, with its source map. */
export function removeBundle(path: string): void {
  for (const name of [path, `${path}.map`]) rmSync(name, { force: true });
}

/** Bundles the manager, and again quickly after changes. */
export class Bundler {
  readonly #root: string;
  readonly #directory: string;
  readonly #context: ReturnType<Esbuild["context"]>;
  #count = 0;

  readonly #onBuilt: (bundle: GoodBundle) => void;

  /** @param onBuilt - receives each bundle without errors */
  constructor(root: string, project: Project, directory: string, onBuilt: (bundle: GoodBundle) => void) {
    this.#root = root;
    this.#directory = directory;
    this.#onBuilt = onBuilt;
    const options = localBundleOptions({ root, project });
    this.#context = projectPackage<Esbuild>(root, "esbuild").context({
      ...options,
      banner: { js: [options.banner.js, endWithSession(process.pid), holdUntilStart()].join("\n") },
      outfile: join(directory, "main.js"),
      write: false,
      metafile: true,
    });
    this.#context.catch(() => undefined);
  }

  async build(): Promise<Bundle> {
    let result: EsbuildResult;
    try {
      result = await (await this.#context).rebuild();
    } catch (error) {
      const { errors } = error as { errors?: readonly EsbuildMessage[] };
      if (!Array.isArray(errors)) return { problems: [{ phase: "bundle", message: (error as Error).message }] };
      const problems = (errors as readonly EsbuildMessage[]).map((esbuildMessage) => this.#problem(esbuildMessage));
      const ofSettings = problems.filter(({ file = "" }) => settingsFile.test(file));
      return { problems: ofSettings.length > 0 ? ofSettings : problems };
    }
    const contents = result.metafile?.inputs ?? {};
    const inputs = Object.keys(contents).map((path) => resolve(this.#root, path));
    const code = result.outputFiles.find(({ path }) => path.endsWith(".js"));
    const map = result.outputFiles.find(({ path }) => path.endsWith(".map"));
    const hash = createHash("sha256")
      .update(code?.contents ?? "")
      .digest("hex");
    const bundle: GoodBundle = {
      hash,
      inputs,
      conversions: conversionCode(code?.text ?? "", contents),
      write: () => {
        const name = `main-${++this.#count}.js`;
        prepareBundles(this.#directory);
        this.#removeOld();
        const text = (code?.text ?? "").replace(
          /\/\/# sourceMappingURL=main\.js\.map\s*$/,
          `//# sourceMappingURL=${name}.map\n`,
        );
        writeFileSync(join(this.#directory, name), text);
        if (map) writeFileSync(join(this.#directory, `${name}.map`), map.contents);
        return join(this.#directory, name);
      },
    };
    this.#onBuilt(bundle);
    return bundle;
  }

  async dispose(): Promise<void> {
    await (await this.#context.catch(() => undefined))?.dispose();
  }

  #removeOld(): void {
    const numbers = readdirSync(this.#directory).flatMap((name) => /^main-(\d+)\.js$/.exec(name)?.[1] ?? []);
    numbers.sort((a, b) => Number(a) - Number(b));
    for (const number of numbers.slice(0, 1 - kept)) removeBundle(join(this.#directory, `main-${number}.js`));
  }

  #problem({ text, location }: EsbuildMessage): DevProblem {
    if (!location) return { phase: "bundle", message: text };
    const { file, line } = location;
    // esbuild counts columns from 0.
    const column = location.column + 1;
    const frame = codeFrame(this.#root, file, line, column);
    return { phase: "bundle", message: text, file, line, column, ...(frame === undefined ? {} : { frame }) };
  }
}
