import { join } from "node:path";
import { must } from "../../scripts/lib/run.mjs";

/** Writes a self-signed certificate for 127.0.0.1 as `tls.key` and `tls.crt` to a directory. Needs openssl. */
export async function writeCertificate(directory: string): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", join(directory, "tls.key")];
  const names = ["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  await must("openssl", ["req", "-x509", ...key, ...names, "-out", join(directory, "tls.crt")]);
}
