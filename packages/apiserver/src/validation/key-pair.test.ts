import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { Authority } from "../http/certificates.ts";
import { keyPairProblem } from "./key-pair.ts";

const authority = new Authority("test", () => Date.now());
const [first, second] = [authority.issueServing(["a.test"]), authority.issueServing(["b.test"])];
const pem = (type: string, bytes: string): string =>
  `-----BEGIN ${type}-----\n${Buffer.from(bytes).toString("base64")}\n-----END ${type}-----\n`;
const privateKey = (type: "rsa" | "x25519"): string =>
  (type === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("x25519")).privateKey
    .export({ type: "pkcs8", format: "pem" })
    .toString();

test("a certificate with its key is valid", () => {
  expect(keyPairProblem(first.cert, first.key)).toBeUndefined();
  expect(keyPairProblem(`${first.cert}${second.cert}`, `comment\n${first.key}`)).toBeUndefined();
});

test.each([
  ["", "", "failed to find any PEM data in certificate input"],
  [
    first.key,
    first.cert,
    "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
  ],
  [
    pem("X", "x") + pem("Y", "y"),
    "",
    'failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [X Y]',
  ],
  [first.cert, "", "failed to find any PEM data in key input"],
  [first.cert, first.cert, "found a certificate rather than a key in the PEM for the private key"],
  [
    first.cert,
    pem("X", "x"),
    'failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [X]',
  ],
  [first.cert, pem("PRIVATE KEY", "x"), "failed to parse private key"],
  [first.cert, privateKey("x25519"), "found unknown private key type in PKCS#8 wrapping"],
  [first.cert, privateKey("rsa"), "private key type does not match public key type"],
  [first.cert, second.key, "private key does not match public key"],
])("%#: an invalid pair is rejected with Go's message", (certificate, key, problem) => {
  expect(keyPairProblem(certificate, key)).toBe(`tls: ${problem}`);
});

test("a malformed certificate is rejected with Go's message", () => {
  expect(keyPairProblem(pem("CERTIFICATE", "x"), first.key)).toBe("x509: malformed certificate");
});
