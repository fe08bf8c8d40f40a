/** Words that YAML 1.1 doesn't read as strings. */
const RESERVED: ReadonlySet<string> = new Set(
  `y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF ~ null Null NULL
  .nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF`.split(/\s+/),
);

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DOT_FLOAT = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const PREFIXED = /^([-+]?)0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/;
/** A sign after the prefix: Go's reader accepts it, so such strings are quoted, too. */
const SIGNED_BINARY = /^0b[-+][01]+$/;

/** Returns whether a plain scalar with this text would be read as something other than a string. */
export function readsAsOther(text: string): boolean {
  if (text === "" || RESERVED.has(text)) return true;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return DOT_FLOAT.test(text) && Number.isFinite(Number(text.replaceAll("_", "")));
  const startsNumber = first === 0x2b || first === 0x2d || (first >= 0x30 && first <= 0x39);
  return startsNumber && (isNumber(text.replaceAll("_", "")) || isTimestamp(text) || BASE_60.test(text));
}

function isNumber(text: string): boolean {
  // Numbers that overflow are read as strings.
  if (FLOAT.test(text)) return Number.isFinite(Number(text));
  if (SIGNED_BINARY.test(text)) return true;
  const prefixed = PREFIXED.exec(text);
  return prefixed !== null && fitsInteger(prefixed[1]!, BigInt(text.replace(/^[-+]/, "").toLowerCase()));
}

/** Returns whether an integer fits into 64 bits; an unsigned one may use all of them. */
function fitsInteger(sign: string, magnitude: bigint): boolean {
  if (sign === "") return magnitude < 2n ** 64n;
  return magnitude < 2n ** 63n || (sign === "-" && magnitude === 2n ** 63n);
}

const TIMESTAMP =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?: +([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)|(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[-+]([0-9]{2}):([0-9]{2}))))?$/;

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (!match) return false;
  const [year, month, day] = [match[1], match[2], match[3]].map(Number) as [number, number, number];
  const [hour, minute, second] = [match[4] ?? match[7], match[5] ?? match[8], match[6] ?? match[9]].map((part) =>
    Number(part ?? 0),
  ) as [number, number, number];
  const zoneHour = Number(match[10] ?? 0);
  const zoneMinute = Number(match[11] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  return hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute <= 60;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
