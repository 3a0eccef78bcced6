import { readFile } from 'node:fs/promises';

/** The line with which a certificate begins in a PEM file. */
const CERTIFICATE = '-----BEGIN CERTIFICATE-----';

/**
 * Reads the certificate authorities (PEM) that the setting `WEBHOOK_CA_FILE` adds for connections to receivers; at the
 * start of the service and in `callwright doctor`.
 * @throws Error that names the setting, also for a file without a certificate, which TLS would silently ignore
 */
export async function readCertificates(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`WEBHOOK_CA_FILE cannot be read: ${cause.message}`, { cause });
  });
  if (!pem.includes(CERTIFICATE)) throw new Error(`WEBHOOK_CA_FILE: there is no certificate in ${file}`);
  return pem;
}
