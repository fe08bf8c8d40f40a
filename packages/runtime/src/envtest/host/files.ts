import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { type CertificateAuthority, serviceAccountKeys } from "./certificates.ts";
import { kubeconfigFor } from "./kubeconfig.ts";

/** Paths of the servers' input files. */
export interface Files {
  readonly ca: string;
  readonly servingCert: string;
  readonly servingKey: string;
  readonly serviceAccountPublicKey: string;
  readonly serviceAccountPrivateKey: string;
  readonly kubeconfig: string;
}

/** Writes keys, certificates and the admin's kubeconfig, readable only by this user. */
export async function writeFiles(directory: string, authority: CertificateAuthority, admin: Config): Promise<Files> {
  const write = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const serving = await authority.issueServing(["127.0.0.1", "localhost"]);
  const serviceAccount = serviceAccountKeys();
  return {
    ca: write("ca.crt", authority.cert),
    servingCert: write("serving.crt", serving.cert),
    servingKey: write("serving.key", serving.key),
    serviceAccountPublicKey: write("service-account.pub", serviceAccount.publicKey),
    serviceAccountPrivateKey: write("service-account.key", serviceAccount.privateKey),
    kubeconfig: write("kubeconfig", kubeconfigFor(admin)),
  };
}
