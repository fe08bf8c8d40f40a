// Reads how a scaffolded manager runs in a cluster: the arguments of Node and the memory limit of its container.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/run.mjs";

export interface Deployment {
  readonly nodeArguments: string[];
  /**
   * The limit. V8 chooses the sizes of its heap by it: with 384 MiB, its young generation has at most 3 MiB instead of 48.
   */
  readonly memoryMiB: number;
}

/** Reads the scaffolded Deployment. */
export function deployment(): Deployment {
  const manifest = readFileSync(join(root, "testdata/projects/game/config/manager/manager.yaml"), "utf8");
  const command = /- command:\n\s+- \/nodejs\/bin\/node\n((?:\s+(?:#|- --).*\n)*)\s+- \/app\/main\.js\n/.exec(manifest);
  const memory = /limits:\s+cpu: \w+\s+memory: (\d+)Mi/.exec(manifest);
  if (command?.[1] === undefined || memory?.[1] === undefined)
    throw new Error("config/manager/manager.yaml: found no command of Node or no memory limit");
  return {
    nodeArguments: [...command[1].matchAll(/- (--.*)/g)].map(([, argument = ""]) => argument),
    memoryMiB: Number(memory[1]),
  };
}
