// Runs the test suite of apiextensions-apiserver with a directory of servers.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyModule, runGoTests, type State } from "./go-suites.ts";

const version = "v0.37.2";

/** Tests that executables can't run, or that the embedded server can't pass because it has no etcd. */
const skipped = [
  // Written for a server in the process of the test, of which they set feature gates or read the configuration.
  ...["TestCBORStorageEnablement", "TestFieldSelectorDisablement", "TestFieldSelectorDropFields"],
  ...["TestRatchetingDropFields", "TestPruningFromStorage"],
  // Reads from an etcd of the environment.
  "TestEtcdStorage",
  // Write to etcd.
  ...["TestInvalidObjectMetaInStorage", "TestNonStructuralSchemaConditionUpdate"],
  ...[
    "TestNonStructuralSchemaConditionForCRDV1Beta1MigratedData",
    "TestWebhookConversion_WhitespaceCABundleEtcdBypass",
  ],
  "TestWebhookConverterWith.*/nontrivial-converter-.*/check-5",
];

/** The sources of apiextensions-apiserver, whose tests start executables. */
export class ApiExtensionsSuite {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Downloads and copies the module, and replaces the functions that start servers. */
  static async fetch(): Promise<ApiExtensionsSuite> {
    const directory = await copyModule(`k8s.io/apiextensions-apiserver@${version}`);
    const fixtures = fileURLToPath(new URL("apiextensions-fixtures", import.meta.url));
    cpSync(fixtures, join(directory, "test/integration/fixtures"), { recursive: true });
    return new ApiExtensionsSuite(directory);
  }

  /**
   * Runs a package of the suite.
   *
   * @param path - the package, for example `test/integration/conversion`
   * @param assets - the directory with etcd and kube-apiserver
   * @returns the state of each test and of each part of it by its name
   * @throws Error if the package can't be built or its tests end early
   */
  async run(path: string, assets: string): Promise<Map<string, State>> {
    const args = ["test", "-json", "-count=1", "-timeout=60m", `-skip=${skipped.map(anchored).join("|")}`, `./${path}`];
    const { output, results, ended } = await runGoTests(args, this.#directory, { KUBEBUILDER_ASSETS: assets });
    if (!ended || results.size === 0) throw new Error(`${path} reported no results:\n${output}`);
    return results;
  }

  /** Removes the sources. */
  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Makes a pattern match whole names. */
function anchored(pattern: string): string {
  return pattern
    .split("/")
    .map((part) => `^${part}$`)
    .join("/");
}
