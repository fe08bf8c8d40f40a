/** Has a failure say what it is of: `listen EADDRINUSE` alone leaves open which of several servers it was. Its `code` stays. */
export async function named<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${what}: ${message}`, { cause: error }), code === undefined ? {} : { code });
  }
}
