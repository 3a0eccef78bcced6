import { readFile } from 'node:fs/promises';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----';

/**
 * The certificates that receivers may have beside the usual ones (setting: `WEBHOOK_CA_FILE`), in PEM.
 * @throws Error that names the setting; a file without a certificate would be passed over without a word by TLS
 */
export async function readCertificates(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`WEBHOOK_CA_FILE cannot be read: ${cause.message}`, { cause });
  });
  if (!pem.includes(CERTIFICATE)) throw new Error(`WEBHOOK_CA_FILE: there is no certificate in ${file}`);
  return pem;
}
