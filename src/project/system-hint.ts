/**
 * Returns what a user can do about an error of the operating system.
 *
 * @param code - the code of the error, such as `ENOSPC`
 * @returns the hint, without `hint: `; undefined if there is none
 */
export function systemHint(code: string | undefined): string | undefined {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "free space on this disk, then run the command again";
    case "EROFS":
      return "the disk is read-only: use a directory on another one, or mount it writable";
    case "EACCES":
    case "EPERM":
      return "check the permissions of the file and of its directory";
    case "EMFILE":
    case "ENFILE":
      return "raise the limit of open files (ulimit -n)";
    default:
      return undefined;
  }
}
