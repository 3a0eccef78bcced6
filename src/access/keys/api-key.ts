import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Ids } from '#kernel/ids/ids.js';
import { jsonColumn } from '#store/statements/columns.js';
import { SCOPES } from './principal.js';

const PREFIX = 'cw_live_';
const SECRET_BYTES = 24;
const SHAPE = /^cw_live_([A-Za-z0-9_-]{32})([A-Za-z0-9_-]{6})$/;

/** Characters that the name of a key may have. */
export const LONGEST_KEY_NAME = 200;

/** An API key as it is stored: everything but the key itself, of which only the SHA-256 is kept. */
export const ApiKeyRow = z.object({
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  key_hash: z.string(),
  key_hint: z.string(),
  scopes: jsonColumn(z.array(z.enum(SCOPES))),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  last_used_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
});
export type ApiKeyRow = z.infer<typeof ApiKeyRow>;

/**
 * A new key: `cw_live_`, 192 random bits and a checksum, so that a mistyped key (or a string that a scanner took for
 * one) is known to be wrong without a look into the database.
 */
export function mintApiKey(ids: Ids): string {
  const secret = ids.secret(SECRET_BYTES).toString('base64url');
  return `${PREFIX}${secret}${checksumOf(secret)}`;
}

/** Whether a text looks like a key. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text);
}

/** Whether a text that looks like a key is one that {@link mintApiKey} may have made. */
export function isIntact(key: string): boolean {
  const match = SHAPE.exec(key);
  return match !== null && checksumOf(match[1]!) === match[2];
}

/** What is stored of a key. A plain hash is enough: nobody can try 192 random bits. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What may be shown of a key later, to tell it from others. */
export function hintOfApiKey(key: string): string {
  return `${PREFIX}…${key.slice(-4)}`;
}

function checksumOf(secret: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret));
  return sum.toString('base64url');
}
