/**
 * Sets `PWD` to the real path of the working directory. If a project is opened through a symbolic link, programs such as the
 * compiler would start at the link, and wouldn't find the packages of its workspace above the project.
 *
 * @param env the environment, which other programs inherit
 * @param cwd the working directory, without links
 */
export function setRealDirectory(env: Record<string, string | undefined>, cwd: string): void {
  if (env.PWD !== undefined) env.PWD = cwd;
}
