// Builds the image of a project's Dockerfile without Docker, by running its instructions in directories.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ignore from "@balena/dockerignore";
import { type Copy, DockerfileParser, type Label } from "dockerfile-ast";
import { must } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";

/** The last stage. */
export interface Image {
  /** The directory of its files, with only those that the Dockerfile adds. */
  root: string;
  user: string | undefined;
  entrypoint: string[];
  /** Labels by key, as written. */
  labels: Record<string, string>;
}

interface Stage {
  name: string | undefined;
  root: string;
  directory: string;
  user: string | undefined;
  entrypoint: string[];
  labels: Record<string, string>;
}

/** Returns the files of the build context. */
function context(project: string): string[] {
  // The package's types declare another module format than it has.
  const parse = ignore as unknown as (typeof ignore)["default"];
  const ignored = parse().add(readFileSync(join(project, ".dockerignore"), "utf8"));
  const files = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1));
  return ignored.filter(files.filter((file) => !file.startsWith("node_modules")));
}

function isCovered(file: string, source: string): boolean {
  if (source === ".") return true;
  const pattern = source.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  return new RegExp(`^${pattern}(/|$)`).test(file);
}

/** Copies files with Docker's rules: the content of a directory, or a file with its name. */
function copy(stage: Stage, args: readonly string[], from: { root: string; files?: string[] }): void {
  const [to = ".", ...sources] = args.toReversed();
  const target = join(stage.root, to.startsWith("/") ? to : join(stage.directory, to));
  mkdirSync(target, { recursive: true });
  for (const source of sources) {
    if (!from.files) cpSync(join(from.root, source), join(target, basename(source)));
    for (const file of (from.files ?? []).filter((file) => isCovered(file, source))) {
      const name = source === "." || !file.includes("/") ? file : file.slice(file.indexOf("/") + 1);
      mkdirSync(dirname(join(target, name)), { recursive: true });
      cpSync(join(from.root, file), join(target, name));
    }
  }
}

/**
 * Builds a project's image under `scratch`. Installs this checkout's own packages as links, unless the install instruction
 * must really run, in its own environment.
 */
export async function buildImage(
  project: string,
  scratch: string,
  { installing }: { installing?: Record<string, string | undefined> } = {},
): Promise<Image> {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(
    readFileSync(join(project, "Dockerfile"), "utf8"),
  ).getInstructions()) {
    const args = instruction.getArguments().map((argument) => argument.getValue());
    const stage = stages.at(-1)!;
    switch (instruction.getKeyword()) {
      case "FROM": {
        const root = join(scratch, `stage-${stages.length}`);
        mkdirSync(root, { recursive: true });
        stages.push({ name: args[2], root, directory: "/", user: undefined, entrypoint: [], labels: {} });
        break;
      }
      case "WORKDIR":
        stage.directory = args[0]!;
        mkdirSync(join(stage.root, stage.directory), { recursive: true });
        break;
      case "COPY": {
        const from = (instruction as Copy).getFromFlag()?.getValue();
        const source = from ? stages.find(({ name }) => name === from) : undefined;
        if (from && !source) throw new Error(`no stage is named ${from}`);
        copy(stage, args, source ? { root: source.root } : { root: project, files: context(project) });
        break;
      }
      case "RUN": {
        const directory = join(stage.root, stage.directory);
        const command = args.join(" ");
        if (!installing && command.includes("npm ci")) {
          symlinkSync(join(checkout, "node_modules"), join(directory, "node_modules"));
        } else await must("sh", ["-c", command], { cwd: directory, env: installing });
        break;
      }
      case "USER":
        stage.user = args[0];
        break;
      case "ENTRYPOINT":
        stage.entrypoint = JSON.parse(instruction.getArgumentsContent() ?? "[]");
        break;
      case "LABEL":
        for (const property of (instruction as Label).getProperties()) {
          stage.labels[property.getName()] = property.getValue() ?? "";
        }
        break;
      case "ARG":
      case "ENV":
        break;
      default:
        throw new Error(`unsupported instruction ${instruction.getKeyword()}`);
    }
  }
  const { root, user, entrypoint, labels } = stages.at(-1)!;
  return { root, user, entrypoint, labels };
}
