/** The environment variable with which commands add the text and the contents of a plan to their JSON. */
export const embeddedVariable = "KUBEWRIGHT_EMBEDDED";
