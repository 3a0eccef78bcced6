import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { BlockedAddress, type SsrfGuard } from '#outbound-http/ssrf-guard.js';
import { NameNotFound } from '#outbound-http/resolver.js';

/**
 * Checks the URL of a webhook or notification in a request. A host name that does not resolve yet is accepted: the
 * guard checks the host again before every connection.
 * @param field the field of the request with the URL
 * @throws Problem `invalid_webhook_url` for any but an HTTPS URL, `blocked_address` for a host that may not be
 *   requested and for a URL with a user name or password
 */
export async function checkReceiverUrl(guard: SsrfGuard, text: string, field: string): Promise<void> {
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
