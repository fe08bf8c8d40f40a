import { X509Certificate } from "node:crypto";
import { isLabel, isSubdomain } from "../../project/names.ts";
import type { Project } from "../../project/project-file.ts";
import { openTree } from "../../scaffold/files/tree.ts";
import { readValues } from "../../yaml/values.ts";
import { type CheckContext, jsonOf } from "./ask.ts";
import type { Check } from "./check.ts";
import { askCluster } from "./cluster.ts";

/** In milliseconds. The manager renews certificates much earlier, so one that expires this soon is not being renewed. */
const soon = 24 * 3600 * 1000;

/**
 * Checks the certificate that the manager creates for its webhooks (`--webhook-certs self`). Returns no checks for projects
 * without such webhooks, and for clusters without the project.
 */
export async function checkCertificate(context: CheckContext, project: Project): Promise<Check[]> {
  const hasWebhooks = project.resources.some(({ webhooks }) => webhooks !== undefined);
  if (project.webhookCerts !== "self" || !hasWebhooks) return [];
  const { namespace, name } = secretOf(context.cwd, project);
  const answer = await askCluster(context, "get", "secret", name, "-n", namespace, "-o", "json", "--ignore-not-found");
  const secret = jsonOf<{ data: Readonly<Record<string, string>> }>(answer);
  if (answer.failed || secret === undefined) return [];
  const subject = `webhook certificate in Secret ${namespace}/${name}`;
  const check = (status: Check["status"], what: string, hint?: string): Check[] => [
    { id: "webhook-certificate", status, message: `${subject}: ${what}`, ...(hint === undefined ? {} : { hint }) },
  ];
  const look = `kubectl logs -n ${namespace} deployment/${name.replace(/webhook-server-cert$/, "controller-manager")}`;
  const encoded = secret.data?.["tls.crt"];
  if (encoded === undefined) return check("notice", "not created yet; the manager creates it when it starts", look);
  const certificate = readCertificate(encoded);
  if (certificate === undefined) return check("missing", "isn't a valid certificate", `look for errors in: ${look}`);
  const now = Date.now();
  const end = new Date(certificate.validTo);
  const until = end.toISOString().slice(0, 16).replace("T", " ");
  if (end.getTime() < now)
    return check("missing", `expired on ${until}`, `to find out why it was not renewed: ${look}`);
  if (end.getTime() < now + soon)
    return check("notice", `expires on ${until}`, `to find out why it is not renewed: ${look}`);
  return check("ok", `valid until ${until}`);
}

/**
 * Returns the Secret's namespace and name in `config/default`. Ignores invalid names, because kubectl would read
 * `--kubeconfig=…` as a flag.
 */
function secretOf(cwd: string, { projectName }: Project): { readonly namespace: string; readonly name: string } {
  let built: { readonly namespace?: unknown; readonly namePrefix?: unknown } | undefined;
  try {
    const text = openTree(cwd).readText("config/default/kustomization.yaml") ?? "";
    [built] = readValues(text) as (typeof built)[];
  } catch {
    // If the file is broken, use the scaffolded names.
  }
  const namespace = typeof built?.namespace === "string" ? built.namespace : "";
  const name = typeof built?.namePrefix === "string" ? `${built.namePrefix}webhook-server-cert` : "";
  return {
    namespace: isLabel(namespace) ? namespace : `${projectName}-system`,
    name: isSubdomain(name) ? name : `${projectName}-webhook-server-cert`,
  };
}

function readCertificate(encoded: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}
