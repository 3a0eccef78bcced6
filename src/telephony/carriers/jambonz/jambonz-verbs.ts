import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { CARRIER_LANGUAGE, spokenText } from '#telephony/markup/spoken-text.js';
import { streamAddress } from '#telephony/markup/stream-address.js';

/** The sample rate of the audio stream, in both directions. */
const SAMPLE_RATE_HZ = 16_000;

/** The SIP response for each reason of a `reject` step (RFC 3261, 21.4.24 and 21.6.2). */
const DECLINES = {
  busy: { status: 486, reason: 'Busy Here' },
  rejected: { status: 603, reason: 'Decline' },
} as const;

/** The verbs of one step of markup; none for a sentence without words. */
function verbs(step: MarkupStep): object[] {
  switch (step.kind) {
    case 'say': {
      const text = spokenText(step.text);
      const synthesizer =
        step.language === CARRIER_LANGUAGE
          ? {}
          : { synthesizer: { vendor: 'default', language: step.language } };
      return text === '' ? [] : [{ verb: 'say', text, ...synthesizer }];
    }
    case 'stream':
      // No `actionHook`: jambonz continues with the next verb after the stream. The hook would be requested even
      // during a transfer, and markup in its answer would end the transfer.
      return [
        {
          verb: 'listen',
          url: streamAddress(step.stream),
          mixType: 'mono',
          sampleRate: SAMPLE_RATE_HZ,
          passDtmf: true,
          metadata: step.stream.parameters,
          // Without streaming only whole files are played, not frames.
          bidirectionalAudio: { enabled: true, streaming: true, sampleRate: SAMPLE_RATE_HZ },
        },
      ];
    case 'dial':
      return [{ verb: 'dial', callerId: step.from, target: [{ type: 'phone', number: step.to }] }];
    case 'reject':
      return [{ verb: 'sip:decline', ...DECLINES[step.reason] }];
    case 'hang_up':
      return [{ verb: 'hangup' }];
  }
}

/**
 * Writes call-control markup as jambonz verbs, as the answer to a webhook. Markup that begins with a `reject` refuses
 * the call; before any other markup a verb answers the call.
 * Source: docs.jambonz.org, verbs (answer, say, listen, dial, sip:decline, hangup)
 * @throws RangeError for a stream whose address has a query
 */
export function writeJambonzVerbs(document: CallMarkup): CarrierHttpAnswer {
  const steps = document.flatMap(verbs);
  const answered = document[0]?.kind === 'reject' ? steps : [{ verb: 'answer' }, ...steps];
  return { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(answered) };
}
