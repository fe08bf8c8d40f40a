// The lints of rules. They are loaded together, for schemas with rules only.

export { celBudget } from "./budget.ts";
export { celRules } from "./rules.ts";
