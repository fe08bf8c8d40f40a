import { entries, fixedError, ownError, warning } from "./entry.ts";

/** Problems with markers, and with comments that look like markers. */
export const markerEntries = {
  ...entries(ownError, {
    "unknown-marker": [
      "A name that begins with `kubebuilder:` isn't a known marker, or a name that begins with `k8s:` is similar to one. controller-gen silently ignores it.",
      "Use the suggested name. To lower the severity for one run, use `--unknown-markers warn` or `ignore`.",
    ],
    "misplaced-marker": [
      "A marker has no meaning at its position, for example a field marker on a type, or a package marker on a field. controller-gen ignores it.",
      "Move it to the position in the message. `--unknown-markers` also applies.",
    ],
    "unread-marker": [
      "A marker follows a field or type on the same line, or is in braces without a property below it. controller-gen ignores it too. Markers in `/* */` comments above a declaration are ignored without this diagnostic.",
      "Move it to its own `//` line above. `--unknown-markers` also applies.",
    ],
    "blank-in-marker": [
      "A line isn't a marker because of a space after `+` or before `=`. controller-gen ignores it.",
      "Remove the space. `--unknown-markers` also applies.",
    ],
  }),
  ...entries(warning, {
    "near-miss-marker": [
      "A line is similar to a marker without a prefix, such as `+optinal`.",
      "Correct the marker. If the line is text, add a word before `+`.",
    ],
    "synonym-not-json": [
      "The text of a `@default` tag isn't valid JSON. The tag is a synonym of `+default`, so the schema has no default.",
      "Put strings in double quotes, use `+kubebuilder:default`, or remove the tag.",
    ],
    "lost-marker-value": [
      "A value is read differently than it looks: without a word before a space and a delimiter, without the upper bits of a number, or with its single quotes.",
      "Put the value in double quotes or backquotes, or remove the space.",
    ],
  }),
  ...entries(fixedError, {
    "invalid-marker": [
      "A marker's value or arguments don't match its grammar. controller-gen reports an error too.",
      "Correct the value at the reported column.",
    ],
    "marker-not-applicable": [
      "A marker doesn't apply to the type of its field, for example a length on a number. controller-gen reports an error too.",
      "Remove the marker, or change the type.",
    ],
    "invalid-webhook": [
      "The arguments of a webhook marker are incomplete or contradictory.",
      "Correct the argument in the message.",
    ],
  }),
};
