import { InMemoryFileSystemHost, ModuleKind, ModuleResolutionKind, Project, ScriptTarget } from "ts-morph";

/** The files that a project reads, except for the declarations of JavaScript itself. */
export interface ProjectFiles {
  /** Returns the text of a file; undefined if there is none. */
  readonly textAt: (path: string) => string | undefined;
  /** Returns the file that a specifier in a file refers to; undefined if there is none. */
  readonly locate: (from: string, specifier: string) => string | undefined;
}

/** Returns whether a file declares JavaScript itself. */
export function isLibraryFile(path: string): boolean {
  return path.startsWith("/node_modules/typescript/lib/");
}

/** Creates a project with options for reading types, regardless of the user's tsconfig.json. It parses each file once. */
export function createProject({ textAt, locate }: ProjectFiles): Project {
  return new Project({
    fileSystem: new FilesOfRun(textAt),
    compilerOptions: {
      strict: true,
      noEmit: true,
      types: [],
      lib: ["lib.es2023.d.ts"],
      target: ScriptTarget.ES2022,
      module: ModuleKind.ESNext,
      moduleResolution: ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
    },
    resolutionHost: () => ({
      resolveModuleNames: (specifiers, from) =>
        specifiers.map((specifier) => {
          const resolvedFileName = locate(from, specifier);
          if (resolvedFileName === undefined) return undefined;
          const extension = /(\.d)?\.[mc]?tsx?$/.exec(resolvedFileName)?.[0] ?? ".ts";
          return { resolvedFileName, extension, isExternalLibraryImport: false };
        }),
    }),
  });
}

/** A file system that has only the files of a run. */
class FilesOfRun extends InMemoryFileSystemHost {
  readonly #textAt: ProjectFiles["textAt"];

  constructor(textAt: ProjectFiles["textAt"]) {
    super();
    this.#textAt = textAt;
  }

  override fileExistsSync(path: string): boolean {
    return this.#textAt(path) !== undefined;
  }

  override readFileSync(path: string): string {
    return this.#textAt(path) ?? super.readFileSync(path);
  }
}
