import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#kernel/system/folders.js';
import { makeLocalCertificate, type LocalCertificate } from './local-certificate.js';

const HOSTS = ['localhost', '127.0.0.1', '::1'];
const FOLDER = 'webhook-listener';

/**
 * The certificate of `callwright webhook listen`, made on first need and kept in the data folder. A local service
 * trusts it from its start on, so a listener that comes later needs no restart of it.
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
