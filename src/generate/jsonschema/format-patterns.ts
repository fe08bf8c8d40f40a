// The formats of strings that the API server checks, as patterns. Validators of JSON Schema don't check formats, or others than the
// API server under the same name. Check digits, as in ISBNs, can't be patterns.

const hex = (count: number) => `[0-9A-Fa-f]{${count}}`;
const uuid = (third: string, fourth: string) => `^${hex(8)}-?${hex(4)}-?${third}-?${fourth}-?${hex(12)}$`;
const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const strictIpv4 = `${octet}(?:\\.${octet}){3}`;
/** The API server accepts leading zeros here. */
const ipv4 = `0*${octet}(?:\\.0*${octet}){3}`;
const h16 = "[0-9A-Fa-f]{1,4}";

/** Returns the addresses of IPv6 whose last 32 bits have one of some forms. Each alternative has another place for `::`. */
function endingIn(end: string): string {
  const before = [0, 1, 2, 3, 4].map((count) => `(?:${h16}(?::${h16}){0,${count}})?::(?:${h16}:){${4 - count}}${end}`);
  return [`(?:${h16}:){6}${end}`, `::(?:${h16}:){5}${end}`, ...before].join("|");
}

const shortIpv6 = `(?:${h16}(?::${h16}){0,5})?::${h16}|(?:${h16}(?::${h16}){0,6})?::`;
const ipv6 = `${endingIn(`(?:${h16}:${h16}|${strictIpv4})`)}|${shortIpv6}`;
const looseIpv6 = `${endingIn(`(?:${h16}:${h16}|${ipv4})`)}|${shortIpv6}`;
const cidr = [
  `${ipv4}/(?:0{0,2}[0-9]|0?[12][0-9]|0?3[0-2])`,
  `(?:${looseIpv6})/(?:0{0,2}[0-9]|0?[1-9][0-9]|1[01][0-9]|12[0-8])`,
].join("|");
const monthAndDay =
  "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))";
const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const date = `(?:[0-9]{4}-${monthAndDay}|${leapYear}-02-29)`;
const time =
  "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[^\\n\\r\\u2028\\u2029][0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})";
const goDuration = "[-+]?(?:0|(?:(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)";
const anyCase = (text: string) => text.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
const unit = anyCase("(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)");
const unitStart = anyCase("(?:nano|micro|milli|sec|min|hour|day|week)");
const namedDuration = `[0-9]\\s*(?:${unit}(?:[^A-Za-zµ]|$)|${unitStart})`.replace("\\s", "[\\t\\n\\v\\f\\r ]");
const colorPart = "[\\t\\n\\v\\f\\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\\t\\n\\v\\f\\r ]*";
const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";

const pairs = (separator: string) =>
  `${hex(2)}(?:${separator}${hex(2)}){5}(?:(?:${separator}${hex(2)}){2}|(?:${separator}${hex(2)}){14})?`;
const fours = `${hex(4)}\\.${hex(4)}\\.${hex(4)}(?:\\.${hex(4)}|(?:\\.${hex(4)}){7})?`;
const mac = `^(?:${hex(12)}|${hex(16)}|${hex(40)}|${pairs(":")}|${pairs("-")}|${fours})$`;

/** A pattern and the longest text of a format. */
export interface FormatRule {
  readonly pattern?: string;
  readonly maxLength?: number;
}

const rules: Readonly<Record<string, FormatRule>> = {
  bsonobjectid: { pattern: `^${hex(24)}$` },
  ipv4: { pattern: `^(?:${ipv4}|${endingIn(ipv4)})$`, maxLength: 64 },
  cidr: { pattern: `^(?:${cidr})$` },
  ipv6: { pattern: `^(?:${ipv6})$` },
  uuid: { pattern: uuid(hex(4), hex(4)) },
  uuid3: { pattern: uuid("3[0-9A-Fa-f]{3}", hex(4)) },
  uuid4: { pattern: uuid("4[0-9A-Fa-f]{3}", "[89ABab][0-9A-Fa-f]{3}") },
  uuid5: { pattern: uuid("5[0-9A-Fa-f]{3}", "[89ABab][0-9A-Fa-f]{3}") },
  ssn: { pattern: "^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$" },
  mac: { pattern: mac },
  hexcolor: { pattern: `^#?(?:${hex(3)}|${hex(6)})$` },
  rgbcolor: { pattern: `^rgb\\(${colorPart},${colorPart},${colorPart}\\)$` },
  byte: {
    pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$",
  },
  date: { pattern: `^${date}$` },
  // The API server ignores everything after a second T.
  datetime: { pattern: `^${date}[Tt]${time}(?:[Tt]|$)` },
  duration: { pattern: `^${goDuration}$|${namedDuration}` },
  hostname: { pattern: "^[A-Za-z0-9\\p{S}\\p{L}][^.]{0,62}(?:\\.[^.]{0,63})*$", maxLength: 255 },
  // Only the parts that distinguish them from other texts.
  uri: { pattern: "^(?:\\*|(?:/|[A-Za-z][-A-Za-z0-9+.]*:)[^\\x00-\\x1F\\x7F]*)$" },
  email: { pattern: "^[^@]*[^@ <>][^<>]*@[^@ <>]+>?[\\t\\n\\r ]*$|^[^<>]*<[^<>]+@[^<>]+>" },
  k8sshortname: { pattern: `^${label}$`, maxLength: 63 },
  k8slongname: { pattern: "^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$", maxLength: 253 },
};

/** Returns the rule of a format; undefined if the API server doesn't check it, or it can't be a pattern. */
export function formatRule(format: string): FormatRule | undefined {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}
