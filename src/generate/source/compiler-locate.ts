import { dirname } from "node:path";
import { ts } from "ts-morph";
import type { Files } from "./files.ts";
import type { CompilerLocate } from "./locate.ts";

/** Finds modules by the compiler's rules, with the tsconfig.json that is nearest to the importing file. */
export function createCompilerLocate(files: Files): CompilerLocate {
  const optionsOf = new Map<string, ts.CompilerOptions>();
  const host: ts.ModuleResolutionHost = { fileExists: files.isFile, readFile: files.read, realpath: files.realPath };
  return (from, specifier) => {
    const directory = dirname(from);
    const options = optionsOf.get(directory) ?? readOptions(host, directory);
    optionsOf.set(directory, options);
    return locate(host, from, specifier, options);
  };
}

function readOptions(host: ts.ModuleResolutionHost, directory: string): ts.CompilerOptions {
  const config = ts.findConfigFile(directory, host.fileExists);
  const bundler = { moduleResolution: ts.ModuleResolutionKind.Bundler };
  if (config === undefined) return bundler;
  const parseHost: ts.ParseConfigFileHost = {
    fileExists: host.fileExists,
    readFile: host.readFile,
    // The list of a project's files isn't needed, and finding them is slow.
    readDirectory: () => [],
    useCaseSensitiveFileNames: true,
    getCurrentDirectory: () => dirname(config),
    onUnRecoverableConfigFileDiagnostic: () => {},
  };
  return { ...bundler, ...ts.getParsedCommandLineOfConfigFile(config, {}, parseHost)?.options };
}

function locate(
  host: ts.ModuleResolutionHost,
  from: string,
  specifier: string,
  options: ts.CompilerOptions,
): string | undefined {
  const { Bundler } = ts.ModuleResolutionKind;
  // Modules that only `require` or only a bundler can find are also read, because types don't run.
  const attempts: [ts.CompilerOptions, ts.ResolutionMode][] = [
    [options, ts.ModuleKind.ESNext],
    [options, ts.ModuleKind.CommonJS],
    [{ ...options, moduleResolution: Bundler }, ts.ModuleKind.ESNext],
  ];
  for (const [importer, mode] of attempts) {
    const resolution = ts.resolveModuleName(specifier, from, importer, host, undefined, undefined, mode);
    const path = resolution.resolvedModule?.resolvedFileName;
    if (path !== undefined && /\.[mc]?tsx?$/.test(path)) return path;
  }
  return undefined;
}
