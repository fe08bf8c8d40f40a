// Runs an attack in a separate process until the parent disconnects or kills it. Arguments: name and options (JSON) of the attack.
import * as attacks from "../../tests/attacks/attacks.ts";

const stop = new AbortController();
process.on("disconnect", () => stop.abort());
const plans = JSON.parse(process.argv[2] ?? "[]") as { name: keyof typeof attacks; options: attacks.AttackOptions }[];
const byName = new Map(Object.entries(attacks));
await Promise.all(plans.map(({ name, options }) => byName.get(name)!({ ...options, signal: stop.signal })));
process.exit();
