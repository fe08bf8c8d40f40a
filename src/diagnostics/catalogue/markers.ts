import { entries, fixedError, ownError, warning } from "./entry.ts";

/** Lines that are markers, or look like it. */
export const markerEntries = {
  ...entries(ownError, {
    "unknown-marker": [
      "A name under `kubebuilder:` that no marker has, or one under `k8s:` that is nearly one. controller-gen says nothing and does nothing.",
      "Write the name that the message suggests. `--unknown-markers warn` or `ignore` turns this down for one run.",
    ],
    "misplaced-marker": [
      "A marker stands where it has no meaning, such as a field's on a type, or a package's on a field. controller-gen ignores it there.",
      "Move it to the place that the message names. `--unknown-markers` turns this down, too.",
    ],
    "unread-marker": [
      "A marker stands behind a field or type on its line, or in a `/* */` comment. controller-gen doesn't read it there, either.",
      "Write it in a `//` line of its own above. `--unknown-markers` turns this down, too.",
    ],
    "blank-in-marker": [
      "A blank after the `+` or before the `=` keeps a line from being a marker. controller-gen ignores it.",
      "Take the blank out. `--unknown-markers` turns this down, too.",
    ],
  }),
  ...entries(warning, {
    "near-miss-marker": [
      "A line that nearly is a marker without a prefix, such as `+optinal`.",
      "Write the marker, or put a word before the `+` if it is text.",
    ],
    "synonym-not-json": [
      "The text of a `@default` is no JSON. It is a synonym of `+default`, so the schema has no default value now.",
      "Put texts into double quotes, write `+kubebuilder:default`, or take the tag away.",
    ],
    "lost-marker-value": [
      "The grammar of markers drops a part of the value: a word before a blank and a delimiter, or the upper bits of a number.",
      "Put the value in quotes, or take the blank out.",
    ],
  }),
  ...entries(fixedError, {
    "invalid-marker": [
      "A marker's value or arguments don't follow its grammar. controller-gen refuses it, too.",
      "Correct the value at the column that is shown.",
    ],
    "marker-not-applicable": [
      "A marker doesn't fit the type that it stands on, such as a length on a number. controller-gen refuses it, too.",
      "Take the marker away, or change the type.",
    ],
    "invalid-webhook": [
      "The arguments of a webhook marker contradict each other or aren't enough for a configuration.",
      "Correct the argument that the message names.",
    ],
  }),
};
