export {
  annotationChangedPredicate,
  generationChangedPredicate,
  labelChangedPredicate,
  resourceVersionChangedPredicate,
} from "./changed.ts";
export { and, not, or } from "./combine.ts";
export { labelSelectorPredicate } from "./label-selector.ts";
export { newPredicateFuncs, type Predicate } from "./predicate.ts";
