import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { thorough } from "./scripts/test-support/thorough.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Tests import the runtime as users do. The aliases lead to its sources.
const alias = [
  { find: /^@kubewright\/apiserver$/, replacement: at("packages/apiserver/src/index.ts") },
  { find: /^@kubewright\/apiserver\/process$/, replacement: at("packages/apiserver/src/process/index.ts") },
  { find: /^@kubewright\/cel$/, replacement: at("packages/cel/src/index.ts") },
  { find: /^@kubewright\/cel\/(\w+)$/, replacement: at("packages/cel/src/$1/index.ts") },
  { find: /^@kubewright\/dashboard\/protocol$/, replacement: at("packages/dashboard/src/protocol/index.ts") },
  { find: /^@kubewright\/runtime$/, replacement: at("packages/runtime/src/index.ts") },
  {
    find: /^@kubewright\/runtime\/(dev|envtest|kstatus|managed-fields|metrics|secrets|simulation|testing|api)$/,
    replacement: at("packages/runtime/src/$1/index.ts"),
  },
  { find: /^@kubewright\/runtime\/api\/(.+)$/, replacement: at("packages/runtime/src/api/$1.ts") },
];

const unit = [
  "src",
  "packages/runtime/src",
  "packages/apiserver/src",
  "packages/cel/src",
  "packages/dashboard/src",
  "scripts",
  "conformance",
  "bench",
].map((top) => `${top}/**/*.test.ts`);
// These tests mostly wait for their own servers, so in parallel they take as long as the longest one.
const faults = ["packages/runtime/tests/faults/**/*.full.test.ts", "bench/soak/*.full.test.ts"];
// These tests scaffold and build whole projects.
const projects = ["e2e/**/*.test.ts", "conformance/kustomize/**/*.test.ts", "scripts/test-support/**/*.test.ts"];
const special = ["**/*.envtest.test.ts", "**/*.go.test.ts", "**/*.full.test.ts"];
/**
 * The directory of transformed modules, which scripts/test.mjs sets and removes. Its runs of Vitest share them: without that,
 * each would transform the sources of all packages again.
 */
const modules = process.env.KUBEWRIGHT_TEST_MODULES;
/** Set by scripts/test.mjs, which counts these tests. */
const withoutKubectl = process.env.KUBEWRIGHT_WITHOUT_KUBECTL ? ["**/*.kubectl.*"] : [];
const withoutComparisons = process.env.KUBEWRIGHT_WITHOUT_COMPARISONS ? ["**/same-as-server*"] : [];
const seconds = 1000;
/**
 * More than the number of cores, because tests sometimes wait. With three on two cores, a run takes a fifth less time than
 * with two.
 */
const workers = Math.max(3, availableParallelism());
/** For tests that wait more often. */
const waitingWorkers = workers + 1;
/** How long tests wait for an event. Nothing may depend on the load of the machine, so only a hang exceeds this limit. */
const longestWait = 60 * seconds;
/** The time that a busy machine may need to start a server. */
const testEnvironment = { KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "2m" };
/** On the embedded API server, which starts faster, even if servers are installed. */
const engine: Record<string, string> = process.env.KUBEBUILDER_ASSETS ? {} : { KUBEWRIGHT_ENVTEST_ENGINE: "embedded" };

/** Starts the files of e2e first, because they take longest. */
class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ project }: TestSpecification): boolean => project.name === "e2e";
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

/** The projects that run at the same time, and those after them. */
const groups = [["unit"], ["e2e", "envtest"], ["go"], ["full"], ["full-faults"]];

/** Creates a project for tests with the same requirements. */
function project(
  name: string,
  include: string[],
  {
    except = [],
    minutes,
    workers,
    isolate = true,
    env = {},
    execArgv = [],
  }: {
    except?: string[];
    minutes?: number;
    workers?: number;
    isolate?: boolean;
    env?: Record<string, string>;
    execArgv?: string[];
  },
): TestProjectInlineConfiguration {
  return {
    resolve: { alias },
    test: {
      name,
      include,
      exclude: ["**/node_modules/**", "**/dist/**", ...withoutKubectl, ...withoutComparisons, ...except],
      sequence: { groupOrder: groups.findIndex((names) => names.includes(name)) },
      env: { ...testEnvironment, ...env },
      execArgv,
      isolate,
      expect: { poll: { timeout: longestWait, interval: 50 } },
      ...(minutes ? { testTimeout: minutes * 60 * seconds, hookTimeout: Math.max(2, minutes) * 60 * seconds } : {}),
      ...(workers ? { maxWorkers: workers, fileParallelism: workers > 1 } : {}),
    },
  };
}

/** The suffix of a test's file name determines its project. */
export default defineConfig({
  test: {
    sequence: { sequencer: ProjectSequencer },
    experimental: modules ? { fsModuleCache: true, fsModuleCachePath: modules } : {},
    coverage: {
      include: ["packages/runtime/src/**"],
      // Generated types, test code, and programs that tests start, whose coverage isn't measured.
      exclude: ["packages/runtime/src/api/**", "**/*.fixture.ts", "**/testdata/**"],
      reporter: ["text", "json-summary"],
      thresholds: { lines: 90 },
    },
    projects: [
      // Generous, because tests must not fail on a busy machine, and fuzzing takes longer with more rounds. Modules are
      // loaded once per worker, not per file, which took a third of the processor time.
      project("unit", unit, {
        except: [...special, ...projects],
        minutes: thorough ? 15 : 10,
        workers,
        isolate: false,
        // Modules and syntax trees stay for long, so that V8's default of 16 MiB for new objects costs 3 % more time.
        execArgv: ["--max-semi-space-size=64"],
      }),
      project("e2e", projects, { except: special, minutes: 10, workers: waitingWorkers, isolate: false, env: engine }),
      project(
        "envtest",
        ["{src,packages/runtime/src,packages/runtime/tests,packages/apiserver/src,e2e}/**/*.envtest.test.ts"],
        {
          except: thorough ? [] : ["**/*.full.envtest.test.ts"],
          minutes: 10,
          workers: waitingWorkers,
          isolate: false,
          env: engine,
        },
      ),
      project("go", ["**/*.go.test.ts"], { minutes: 10, workers: 1 }),
      project("full", ["**/*.full.test.ts"], { except: faults, minutes: 30, workers: waitingWorkers }),
      project("full-faults", faults, { minutes: 30, workers: 4 }),
    ],
  },
});
