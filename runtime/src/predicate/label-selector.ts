import { type LabelSelector, labelMatcher } from "../cache/label-selector.ts";
import { newPredicateFuncs, type Predicate } from "./predicate.ts";

/** Passes objects whose labels match. An object that stops matching gives no event. */
export function labelSelectorPredicate(selector: LabelSelector): Predicate {
  const matches = labelMatcher(selector);
  return newPredicateFuncs((object) => matches(object.metadata?.labels));
}
