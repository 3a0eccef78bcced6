import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ids } from '#kernel/ids/ids.js';
import { makeFolder } from '#kernel/system/folders.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OWNER_ONLY = 0o600;
const KEY_FILE = 'secrets.key';

/**
 * Encrypts the values of customers' secrets (`Secrets`) with the key of the installation. Each value is bound to a
 * place (its row): copied to another row, it cannot be opened.
 */
export interface SecretBox {
  /** The encrypted text, in base64. */
  seal(text: string, place: string): string;
  /** @throws Error when the text was sealed with another key or for another place */
  open(sealed: string, place: string): string;
}

/**
 * Creates a box with AES-256-GCM: a random nonce for each text, and the place as additional authenticated data. A
 * sealed text is nonce, tag and ciphertext.
 * @param readKey returns the 32 bytes of the key; called at the first use, and again only if it failed
 */
export function createSecretBox(readKey: () => Buffer, ids: Pick<Ids, 'secret'>): SecretBox {
  let key: Buffer | null = null;
  const keyOnce = () => (key ??= readKey());
  return {
    seal(text, place) {
      const nonce = ids.secret(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOnce(), nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, keyOnce(), nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(tag);
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/**
 * Returns a function that reads the key of the installation: the SHA-256 of the setting SECRETS_KEY or, without this
 * setting, the content of a file in the data folder. The file is created at the first use, and only the user of the
 * process may read it.
 * @throws Error from the returned function, if the file holds no key
 */
export function secretsKey(
  { secretsKey: setting, dataDir }: { secretsKey: string | null; dataDir: string },
  ids: Pick<Ids, 'secret'>,
): () => Buffer {
  return () => {
    if (setting !== null) return createHash('sha256').update(setting).digest();
    const path = join(dataDir, KEY_FILE);
    if (!existsSync(path)) {
      makeFolder(dataDir);
      const draft = `${path}.${ids.secret(6).toString('hex')}`;
      try {
        // A link to a complete file: another process that reads at the same time sees the whole key or no file.
        writeFileSync(draft, ids.secret(KEY_BYTES).toString('base64'), { mode: OWNER_ONLY });
        linkSync(draft, path);
      } catch (error) {
        // Another process has created the file at the same time.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        rmSync(draft, { force: true });
      }
    }
    chmodSync(path, OWNER_ONLY);
    const key = Buffer.from(readFileSync(path, 'utf8'), 'base64');
    if (key.length !== KEY_BYTES) throw new Error(`${KEY_FILE} in the data folder holds no key`);
    return key;
  };
}
