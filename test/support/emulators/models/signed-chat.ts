import { createHmac } from 'node:crypto';
import { openAiChat } from './openai-chat-emulator.js';
import type { ModelDialect, ReceivedRequest } from './model-emulator.js';

/**
 * A customer's own chat-completions server that answers only signed requests: it verifies both signatures as
 * `docs/webhooks.md` describes, with separate code.
 * @param secret `whsec_` and base64
 */
export function signedChat(key: string, secret: string): ModelDialect {
  const dialect = openAiChat(key);
  return {
    ...dialect,
    refuse: (request) => (isSigned(request, secret) ? dialect.refuse(request) : dialect.refused(403)),
  };
}

function isSigned({ headers, text }: ReceivedRequest, secret: string): boolean {
  const ofBody = createHmac('sha256', secret).update(text).digest('hex');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const standard = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return headers['x-service-signature'] === ofBody && headers['webhook-signature'] === standard;
}
