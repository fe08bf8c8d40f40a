import { ProblemError } from "../../project/problem-error.ts";
import { initProject } from "../../scaffold/test-support/game.ts";
import { planOfRebase, planOfUpgrade } from "../../scaffold/test-support/upgrade.ts";
import { Dice, randomStep, type Step } from "./random-steps.ts";

/**
 * Runs random steps in a new project, and checks after each of them that nothing is left to upgrade.
 *
 * @returns the seed, the steps and the differences after the last of them; undefined if there are none
 */
export async function findingsAfterRandomSteps(root: string, seed: number, steps: number): Promise<string | undefined> {
  const dice = new Dice(seed);
  const input = {
    multigroup: dice.chance(0.4),
    namespaced: dice.chance(0.3),
    webhookCerts: dice.pick(["self", "cert-manager", "files"] as const),
  };
  await initProject(root, input);
  const done: string[] = [`init ${JSON.stringify(input)}`];
  for (let at = 0; at < steps; at++) {
    const step: Step = randomStep(dice, root);
    const end = await step.run(root);
    done.push(step.label);
    const plan = await planOfUpgrade(root).catch((error: Error) => error);
    // A license header that isn't a comment is rejected until the author fixes it.
    if (plan instanceof ProblemError && plan.id === "bad-boilerplate") return undefined;
    if (plan instanceof Error) return [`seed ${seed}`, ...done, plan.stack].join("\n");
    const { operations, conflicts } = plan;
    if (operations.length === 0 && conflicts.length === 0) {
      const rebase = await planOfRebase(root);
      if (rebase.operations.length === 0) continue;
      return [`seed ${seed}`, ...done, "upgrade --rebase changes the copies", ...(rebase.notes ?? [])].join("\n");
    }
    // The command has reported that it couldn't merge: the author resolves it.
    if (end?.stderr.includes("changed the same lines") && operations.length === 0) return undefined;
    const findings = [
      ...operations.map(({ op, path }) => `${op} ${path}`),
      ...conflicts.map((path) => `conflict ${path}`),
    ];
    return [`seed ${seed}`, ...done, "upgrade finds:", ...findings].join("\n");
  }
  return undefined;
}
