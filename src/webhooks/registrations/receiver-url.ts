import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { BlockedAddress, type AddressGuard } from '#outbound-http/address-guard.js';
import { NameNotFound } from '#outbound-http/resolver.js';

/**
 * Judges the URL that a client gives for a receiver. A name that has no address yet is let through: the guard judges it
 * again before every connection.
 * @param field the field of the request that holds it
 * @throws Problem `invalid_webhook_url`, `blocked_address`
 */
export async function checkReceiverUrl(guard: AddressGuard, text: string, field: string): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.hostname === '') throw notHttps(field);
  if (url.username !== '' || url.password !== '') throw blocked(field);
  try {
    await guard.resolve(url.hostname);
  } catch (error) {
    if (error instanceof BlockedAddress) throw blocked(field);
    if (!(error instanceof NameNotFound)) throw error;
  }
}

function notHttps(field: string): Problem {
  return fieldProblem(
    'invalid_webhook_url',
    field,
    'must be an HTTPS address such as https://example.com/hook',
  );
}

function blocked(field: string): Problem {
  return fieldProblem(
    'blocked_address',
    field,
    'must be a public address without a user name; the setting WEBHOOK_ALLOW_CIDRS allows private networks',
  );
}
