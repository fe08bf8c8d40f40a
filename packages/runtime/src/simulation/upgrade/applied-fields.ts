/** The fields of a manager in the metadata of an object. */
export interface AppliedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsV1?: object;
}

/** Returns the paths of the fields of a manager. */
export function fieldsOf({ fieldsV1 = {} }: AppliedFields): string[] {
  const paths: string[] = [];
  const collect = (value: object, path: string): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (key === ".") continue;
      const at = key.startsWith("f:") ? `${path}${path === "" ? "" : "."}${key.slice(2)}` : `${path}[${key.slice(2)}]`;
      if (Object.keys(inner as object).length === 0) paths.push(at);
      else collect(inner as object, at);
    }
  };
  collect(fieldsV1, "");
  return paths;
}
