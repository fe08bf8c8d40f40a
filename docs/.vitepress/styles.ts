/** The parts of PostCSS's types that are used here. */
interface Rule {
  selectors: string[];
  remove(): void;
}

/**
 * Returns a PostCSS plugin that removes rules which make browsers calculate the style of all elements again or in vain: rules
 * for other languages apply as soon as a script sets the page's language, and a rule for `::before` and `::after` of any
 * element creates two more styles for each.
 */
export function cheaperStyles() {
  const isCheap = (selector: string): boolean => !selector.includes(":lang(") && !/^::(before|after)$/.test(selector);
  return {
    postcssPlugin: "cheaper-styles",
    Rule(rule: Rule): void {
      const kept = rule.selectors.filter(isCheap);
      if (kept.length === 0) rule.remove();
      else if (kept.length < rule.selectors.length) rule.selectors = kept;
    },
  };
}
