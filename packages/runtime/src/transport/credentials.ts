import type { Config } from "../config/config.ts";
import { ExecCredentials } from "./exec-credentials.ts";
import type { Credentials, Identity } from "./identity.ts";
import { TokenFile } from "./token-file.ts";

/**
 * Creates the credentials of a configuration. The order of precedence is that of client-go: token file, token, plugin,
 * password.
 */
export function createCredentials(config: Config): Credentials {
  if (config.tokenFile) return new TokenFile(config.tokenFile, config.token);
  if (config.token) return fixed({ authorization: `Bearer ${config.token}` });
  if (config.exec) return new ExecCredentials(config.exec);
  if (config.username !== undefined && config.username !== "") {
    const pair = Buffer.from(`${config.username}:${config.password ?? ""}`, "utf8").toString("base64");
    return fixed({ authorization: `Basic ${pair}` });
  }
  return fixed({});
}

function fixed(identity: Identity): Credentials {
  return {
    current: () => identity,
    renew: () => Promise.resolve(false),
  };
}

/** Returns the impersonation headers. */
export function impersonationHeaders(config: Config): Record<string, string | string[]> {
  const as = config.impersonate;
  if (!as) return {};
  const headers: Record<string, string | string[]> = {};
  const { userName, uid, groups = [], extra = {} } = as;
  if (!userName && (uid || groups.length > 0 || Object.keys(extra).length > 0)) {
    throw new Error("impersonating a uid, groups or extra fields requires a user name");
  }
  if (userName) headers["Impersonate-User"] = userName;
  if (uid) headers["Impersonate-Uid"] = uid;
  if (groups.length > 0) headers["Impersonate-Group"] = [...groups];
  for (const [key, values] of Object.entries(extra)) {
    // Header names allow fewer characters than keys, so the other characters are percent-encoded.
    headers[`Impersonate-Extra-${encodeURIComponent(key).replaceAll(/[()]/g, escapeCharacter)}`] = [...values];
  }
  return headers;
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
