import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Ids } from '#kernel/ids/ids.js';
import { jsonColumn } from '#store/statements/columns.js';
import { SCOPES } from './principal.js';

/* An API key: its text `cw_live_…`, which only its holder has, and its row in the table `api_keys`. */

const PREFIX = 'cw_live_';
const SECRET_BYTES = 24;
/** The form of a key. Its groups are the random part and the checksum. */
const SHAPE = /^cw_live_([A-Za-z0-9_-]{32})([A-Za-z0-9_-]{6})$/;

/** The longest name of a key, in characters. */
export const LONGEST_KEY_NAME = 200;

/** A row of `api_keys`; instants are epoch milliseconds. Only the SHA-256 of the key is stored. */
export const ApiKeyRow = z.object({
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  key_hash: z.string(),
  /** The short form of the key: {@link hintOfApiKey}. */
  key_hint: z.string(),
  scopes: jsonColumn(z.array(z.enum(SCOPES))),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
});
export type ApiKeyRow = z.infer<typeof ApiKeyRow>;

/**
 * Creates the text of a key: `cw_live_`, 192 random bits and a checksum. The checksum serves to refuse a mistyped key
 * without a read from the database; secret scanners can tell by it whether a match is a key.
 */
export function mintApiKey(ids: Ids): string {
  const secret = ids.secret(SECRET_BYTES).toString('base64url');
  return `${PREFIX}${secret}${checksumOf(secret)}`;
}

/** True for a text in the form of a key; its checksum is not checked. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text);
}

/** True for a text in the form of a key, with a valid checksum. */
export function isIntact(key: string): boolean {
  const match = SHAPE.exec(key);
  return match !== null && checksumOf(match[1]!) === match[2];
}

/** The stored form of a key. The key has 192 random bits, so a plain hash is safe. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** A short form of a key for lists, by which its holder recognises it: the prefix and the last four characters. */
export function hintOfApiKey(key: string): string {
  return `${PREFIX}…${key.slice(-4)}`;
}

/** The CRC-32 of the random part, in base64url (6 characters). */
function checksumOf(secret: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret));
  return sum.toString('base64url');
}
