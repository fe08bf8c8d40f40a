import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Header } from "tar/header";

/** A file of an archive. */
export interface TarEntry {
  /** Relative, with `/`; at most 255 bytes. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

const block = 512;
/** npm uses this time for every packed file, so that equal contents result in equal archives. */
const packedAt = new Date(Date.UTC(1985, 9, 26, 8, 15));

/**
 * Creates a gzipped tar archive in npm's format: all files below `package/`, with fixed times and owners. Compresses in
 * another thread while the caller continues.
 */
export async function tarball(entries: readonly TarEntry[]): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    blocks.push(header(entry), entry.content, Buffer.alloc((block - (entry.content.length % block)) % block));
  }
  blocks.push(Buffer.alloc(2 * block));
  // The result is a fifth larger than at the default level, in a third of the time, which would be half of the duration of
  // `init`.
  const bytes = await promisify(gzip)(Buffer.concat(blocks), { level: 1 });
  // The tenth byte is the operating system; 255 is "unknown".
  bytes[9] = 255;
  return bytes;
}

function header({ path, content, executable }: TarEntry): Buffer {
  const head = new Header({
    path: `package/${path}`,
    type: "File",
    mode: executable ? 0o755 : 0o644,
    uid: 0,
    gid: 0,
    size: content.length,
    mtime: packedAt,
  });
  if (head.encode()) throw new Error(`${path} is too long for a tar archive`);
  return head.block as Buffer;
}
