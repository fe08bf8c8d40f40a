/**
 * Creates the error for a failed call of the file system.
 *
 * @param name - the path for the message
 * @param verb - what failed, such as `written`
 * @param error - the error of Node.js
 * @param hasHint - false for an error that responses contain
 * @returns an error with one line, whose properties are those of the original
 */
export function fileError(name: string, verb: string, error: unknown, hasHint = true): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error as Error;
  // Such as `ENOSPC: no space left on device, write`.
  const reason = /^[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
  return Object.assign(
    new Error(`${name}: can't be ${verb}: ${reason}${hasHint ? hintOf(code) : ""}`, { cause: error }),
    {
      code,
      path: name,
    },
  );
}

function hintOf(code: string): string {
  if (code === "ENOSPC" || code === "EDQUOT") return "\nhint: free space, or name a file on another disk";
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") return "\nhint: name a file that you can write";
  if (code === "ENOENT" || code === "ENOTDIR") return "\nhint: name a file in a directory that exists";
  return "";
}
