import { z } from 'zod';
import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { CARRIER_LANGUAGE, spokenText } from '#telephony/markup/spoken-text.js';
import { streamAddress } from '#telephony/markup/stream-address.js';
import { withoutPlus } from '#telephony/wire/e164.js';

/** The format of Vonage's call ids. An id in another format is left out: it came in a request and could be any text. */
const CallUuid = z.guid();

/** The actions of one step of markup; none for a sentence without words. */
function actions(step: Exclude<MarkupStep, { kind: 'reject' | 'hang_up' }>): object[] {
  switch (step.kind) {
    case 'say': {
      const text = spokenText(step.text);
      const language = step.language === CARRIER_LANGUAGE ? {} : { language: step.language };
      return text === '' ? [] : [{ action: 'talk', text, ...language }];
    }
    case 'stream': {
      // The socket is a separate leg of the call: its messages contain the call's id because it is sent as a header.
      const call = CallUuid.safeParse(step.providerCallId).success ? { call_uuid: step.providerCallId } : {};
      return [
        {
          action: 'connect',
          // Vonage sends an event when the socket ends, and the answer to the event says how the call continues.
          eventType: 'synchronous',
          eventUrl: [step.streamEndedUrl],
          endpoint: [
            {
              type: 'websocket',
              uri: streamAddress(step.stream),
              'content-type': 'audio/l16;rate=16000',
              headers: { ...step.stream.parameters, ...call },
            },
          ],
        },
      ];
    }
    case 'dial':
      return [
        {
          action: 'connect',
          from: withoutPlus(step.from),
          endpoint: [{ type: 'phone', number: withoutPlus(step.to) }],
        },
      ];
  }
}

/**
 * Writes call-control markup as an NCCO, Vonage's JSON markup, as the answer to a webhook. NCCO has no action that ends
 * or refuses a call; a call ends after its last action. So the steps from a `hang_up` on are left out, and a `reject`
 * becomes an empty NCCO, which answers the call and ends it at once.
 * Source: developer.vonage.com, NCCO reference (talk, connect)
 * @throws RangeError for a stream whose address has a query
 */
export function writeNcco(document: CallMarkup): CarrierHttpAnswer {
  const ncco: object[] = [];
  for (const step of document) {
    if (step.kind === 'hang_up' || step.kind === 'reject') break;
    ncco.push(...actions(step));
  }
  return { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(ncco) };
}
