/** The generators that `edit --enable` adds to the Makefile. */
export const switchedGenerators = ["apidocs", "jsonschema", "monitoring", "policy"] as const;

/** One of {@link switchedGenerators}. */
export type SwitchedGenerator = (typeof switchedGenerators)[number];
