export { cardinalityWithin, costOfRuns, RuleChecker, type RuleScope, ruleCostLimit, totalCostLimit } from "./check.ts";
export { compileRuleExpression } from "./compile-rules.ts";
export { type DataType, dataType, rootType } from "./schema-type.ts";
export { hasRules, validateRules } from "./validator.ts";
