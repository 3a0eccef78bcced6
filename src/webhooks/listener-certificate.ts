import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#kernel/system/folders.js';
import { makeLocalCertificate, type LocalCertificate } from './local-certificate.js';

const HOSTS = ['localhost', '127.0.0.1', '::1'];
const FOLDER = 'webhook-listener';

/**
 * The self-signed certificate of `callwright webhook listen` (a receiver for trying out webhooks), made on first need
 * and kept in the data folder, with the path of its file. A service on the same machine reads it when it starts and
 * trusts it, so a later listener needs no restart of the service.
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
