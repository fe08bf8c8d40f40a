import { type LabelSelector, labelMatcher } from "../client/label-selector.ts";
import { newPredicateFuncs, type Predicate } from "./predicate.ts";

/**
 * Creates a predicate that passes objects whose labels match. An update after which an object no longer matches is dropped.
 *
 * @param selector - values by label, or a label selector in kubectl's syntax
 * @returns the predicate
 * @throws Error if the selector isn't valid
 */
export function labelSelectorPredicate(selector: LabelSelector): Predicate {
  const matches = labelMatcher(selector);
  return newPredicateFuncs((object) => matches(object.metadata?.labels));
}
