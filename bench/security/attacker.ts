// The process of the attackers: `node --import tsx attacker.ts PLAN`, where PLAN is a list of `Plan` as JSON. Attacks until it is killed.
import { constants, setPriority } from "node:os";
import * as common from "../../packages/runtime/tests/attacks/attacks.ts";
import { largeTokens } from "./attacks/large-tokens.ts";
import type { Plan } from "./lib/attacks.ts";

const clients: Record<string, common.Attack> = { ...common, largeTokens };
const plan = JSON.parse(process.argv[2] ?? "") as Plan[];
// Real attackers run on other machines, so here they only get the processor time that the servers leave.
setPriority(constants.priority.PRIORITY_LOW);
const { signal } = new AbortController();

const running = plan.map(({ client, ...options }) => {
  const attack = clients[client];
  if (!attack) throw new Error(`attack not found: ${client}`);
  return attack({ host: "127.0.0.1", signal, ...options });
});
process.stdout.write("attacking\n");
await Promise.all(running);
