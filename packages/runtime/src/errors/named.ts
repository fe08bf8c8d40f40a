/** Adds a name to the message of a failure, because `listen EADDRINUSE` alone doesn't identify the server. Keeps `code`. */
export async function named<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${what}: ${message}`, { cause: error }), code === undefined ? {} : { code });
  }
}
