import type { UserInfo } from "../model/request.ts";

/**
 * Reads a file of static tokens: CSV with token, user name, UID, and optionally groups.
 *
 * @param text - the content of the file
 * @param path - its path, for messages
 * @returns the users by their tokens
 * @throws Error if a line isn't valid
 */
export function parseTokenFile(text: string, path: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const record of parseCsv(text)) {
    const [token = "", name = "", uid = "", groups] = record;
    if (record.length < 3) {
      const rule = "must have at least 3 columns (token, user name, user uid)";
      throw new Error(`token file '${path}' ${rule}, found ${record.length}`);
    }
    if (token === "") continue;
    users.set(token, { name, groups: groups === undefined ? [] : groups.split(","), ...(uid === "" ? {} : { uid }) });
  }
  return users;
}

/** Splits CSV (RFC 4180) into records. Empty lines are skipped. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = "";
  let quoted = false;
  const endRecord = (): void => {
    record.push(field);
    if (record.length > 1 || field !== "") records.push(record);
    record = [];
    field = "";
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at];
      else quoted = false;
    } else if (char === '"' && field === "") quoted = true;
    else if (char === ",") {
      record.push(field);
      field = "";
    } else if (char === "\n") endRecord();
    else if (char !== "\r" || text[at + 1] !== "\n") field += char;
  }
  if (quoted) throw new Error("record on the last line: wrong number of quotes");
  endRecord();
  return records;
}
