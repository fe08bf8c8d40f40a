// Runs test suites of controller-runtime with a directory of servers.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyModule, runGoTests, type State } from "./go-suites.ts";

/** The version of controller-runtime. */
export const version = "v0.25.2";

interface Report {
  /** Null for a package without specs. */
  SpecReports:
    | {
        State: string;
        LeafNodeType: string;
        ContainerHierarchyTexts: string[] | null;
        LeafNodeText: string;
      }[]
    | null;
}

/** The sources of controller-runtime, in a directory that tests may write to. */
export class Suites {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Downloads and copies the module. */
  static async fetch(): Promise<Suites> {
    return new Suites(await copyModule(`sigs.k8s.io/controller-runtime@${version}`));
  }

  /**
   * Runs a suite.
   *
   * @param path - the package, for example `pkg/client`
   * @param assets - the directory with etcd and kube-apiserver
   * @returns the state of each spec by its full text, and of each test without Ginkgo by its name; a test that runs several
   * times counts as failed if one run failed
   */
  async run(path: string, assets: string): Promise<Map<string, State>> {
    const report = join(this.#directory, "report.json");
    rmSync(report, { force: true });
    const args = [
      "test",
      "-json",
      `./${path}`,
      "-count=1",
      "-args",
      "--ginkgo.no-color",
      `--ginkgo.json-report=${report}`,
    ];
    const { output, results } = await runGoTests(args, this.#directory, { KUBEBUILDER_ASSETS: assets });
    if (!existsSync(report)) throw new Error(`${path} wrote no report:\n${output}`);
    const states = new Map<string, State>();
    for (const { SpecReports } of JSON.parse(readFileSync(report, "utf8")) as Report[]) {
      for (const { State, LeafNodeType, ContainerHierarchyTexts, LeafNodeText } of SpecReports ?? []) {
        const isSpec = LeafNodeType === "It";
        const name = isSpec ? [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" ") : LeafNodeType;
        const state = State === "passed" ? "passed" : ["pending", "skipped"].includes(State) ? "skipped" : "failed";
        // Set-up and clean-up count only if they fail.
        if (!isSpec && state !== "failed") continue;
        if (states.get(name) !== "failed") states.set(name, state);
      }
    }
    return new Map([...states, ...results]);
  }

  /** Removes the sources. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
