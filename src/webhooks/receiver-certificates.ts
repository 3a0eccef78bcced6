import { readFile } from 'node:fs/promises';

/** Mark of a certificate in a PEM file. */
const CERTIFICATE = '-----BEGIN CERTIFICATE-----';

/**
 * Reads the certificate authorities (PEM) that the setting `WEBHOOK_CA_FILE` adds for connections to receivers.
 * @throws Error that names the setting, also for a file without a certificate, which TLS would silently ignore
 */
export async function readCertificates(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`WEBHOOK_CA_FILE cannot be read: ${cause.message}`, { cause });
  });
  if (!pem.includes(CERTIFICATE)) throw new Error(`WEBHOOK_CA_FILE: there is no certificate in ${file}`);
  return pem;
}
