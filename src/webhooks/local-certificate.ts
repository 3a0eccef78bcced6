import { isIP } from 'node:net';
import { generate } from 'selfsigned';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#kernel/system/folders.js';

/** A key and a certificate, both PEM. */
export interface LocalCertificate {
  key: string;
  certificate: string;
}

/** The period in which a certificate is valid. */
export interface Validity {
  from: Date;
  until: Date;
}

/**
 * Creates a self-signed TLS certificate for webhook receivers on this machine: for `callwright webhook listen` and
 * tests.
 * @param hosts host names and IP addresses that it is valid for
 * @param validity the default of the library `selfsigned` if missing
 */
export async function makeLocalCertificate(
  hosts: readonly string[],
  validity?: Validity,
): Promise<LocalCertificate> {
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(validity && { notBeforeDate: validity.from, notAfterDate: validity.until }),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) =>
          isIP(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
        ),
      },
    ],
  });
  return { key: made.private, certificate: made.cert };
}

/** The hosts of the listener's certificate. */
const HOSTS = ['localhost', '127.0.0.1', '::1'];
/** The folder of the certificate and its key, in the data folder. */
const FOLDER = 'webhook-listener';

/**
 * The self-signed certificate of `callwright webhook listen` (a receiver for trying out webhooks), with the path of its
 * file. It is created on first need and kept in the data folder. A service in the environment `local` with the same
 * data folder calls this function when it starts (unless `WEBHOOK_CA_FILE` is set), and trusts the certificate: so a
 * listener that starts later needs no restart of the service.
 */
export async function keptListenerCertificate(dataDir: string): Promise<LocalCertificate & { file: string }> {
  const folder = join(dataDir, FOLDER);
  const keyFile = join(folder, 'key.pem');
  const file = join(folder, 'certificate.pem');
  try {
    const [key, certificate] = await Promise.all([readFile(keyFile, 'utf8'), readFile(file, 'utf8')]);
    return { key, certificate, file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = await makeLocalCertificate(HOSTS);
  makeFolder(folder);
  await writeFile(keyFile, made.key, { mode: 0o600 });
  await writeFile(file, made.certificate);
  return { ...made, file };
}
