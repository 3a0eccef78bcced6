import { z } from 'zod';
import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';

const MAX_HEADERS_BYTES = 512;

const parameters = z.record(z.string(), z.string());
const digits = z.string().regex(/^\d+$/);
const streamUrl = z.string().regex(/^wss?:\/\/[^?#]+$/);
const spoken = z
  .string()
  .min(1)
  .refine((text) => !/\p{Cs}/u.test(text), 'a lone surrogate');

const Talk = z
  .strictObject({ action: z.literal('talk'), text: spoken, language: z.string().default('en-US') })
  .transform(({ text, language }): MarkupStep => ({ kind: 'say', text, language }));

const ConnectSocket = z
  .strictObject({
    action: z.literal('connect'),
    eventType: z.literal('synchronous'),
    eventUrl: z.tuple([z.url()]),
    endpoint: z.tuple([
      z.strictObject({
        type: z.literal('websocket'),
        uri: streamUrl,
        'content-type': z.literal('audio/l16;rate=16000'),
        headers: parameters.refine(
          (headers) => Buffer.byteLength(JSON.stringify(headers)) <= MAX_HEADERS_BYTES,
        ),
      }),
    ]),
  })
  .transform(({ eventUrl: [streamEndedUrl], endpoint: [{ uri, headers }] }): MarkupStep => ({
    kind: 'stream',
    stream: { url: uri, parameters: headers },
    streamEndedUrl,
  }));

const ConnectPhone = z
  .strictObject({
    action: z.literal('connect'),
    from: digits,
    eventUrl: z.tuple([z.url()]).optional(),
    endpoint: z.tuple([z.strictObject({ type: z.literal('phone'), number: digits })]),
  })
  .transform(({ from, endpoint: [{ number }] }): MarkupStep => ({
    kind: 'dial',
    to: `+${number}`,
    from: `+${from}`,
  }));

const Ncco = z.array(z.union([Talk, ConnectSocket, ConnectPhone]));

/** Interprets an NCCO like Vonage. */
export function readNcco(body: string): CallMarkup {
  return Ncco.parse(JSON.parse(body));
}

const Say = z
  .strictObject({
    verb: z.literal('say'),
    text: spoken,
    synthesizer: z.strictObject({ vendor: z.literal('default'), language: z.string() }).optional(),
  })
  .transform(({ text, synthesizer }): MarkupStep => ({
    kind: 'say',
    text,
    language: synthesizer?.language ?? 'en-US',
  }));

const Listen = z
  .strictObject({
    verb: z.literal('listen'),
    url: streamUrl,
    mixType: z.literal('mono'),
    sampleRate: z.literal(16_000),
    passDtmf: z.literal(true),
    metadata: parameters,
    bidirectionalAudio: z.strictObject({
      enabled: z.literal(true),
      streaming: z.literal(true),
      sampleRate: z.literal(16_000),
    }),
  })
  .transform(({ url, metadata }): MarkupStep => ({
    kind: 'stream',
    stream: { url, parameters: metadata },
    streamEndedUrl: '',
  }));

const Dial = z
  .strictObject({
    verb: z.literal('dial'),
    callerId: z.string().min(1),
    target: z.tuple([z.strictObject({ type: z.literal('phone'), number: z.string().min(1) })]),
  })
  .transform(({ callerId, target: [{ number }] }): MarkupStep => ({
    kind: 'dial',
    to: number,
    from: callerId,
  }));

const Decline = z
  .strictObject({
    verb: z.literal('sip:decline'),
    status: z.union([z.literal(486), z.literal(603)]),
    reason: z.string(),
  })
  .transform(({ status }): MarkupStep => ({ kind: 'reject', reason: status === 486 ? 'busy' : 'rejected' }));

const Hangup = z
  .strictObject({ verb: z.literal('hangup') })
  .transform((): MarkupStep => ({ kind: 'hang_up' }));

const Answer = z.strictObject({ verb: z.literal('answer') }).transform((): 'answer' => 'answer');

const Verbs = z.array(z.union([Answer, Say, Listen, Dial, Decline, Hangup]));

/**
 * Interprets an array of verbs like jambonz. A call is answered first, or refused; nothing is requested after a
 * stream.
 */
export function readJambonzVerbs(body: string): CallMarkup {
  const [first, ...others] = Verbs.parse(JSON.parse(body));
  const refused = typeof first === 'object' && first.kind === 'reject';
  if (first !== 'answer' && !refused) throw new Error('a call is answered before anything else');
  return [...(refused ? [first] : []), ...others].map((step) => {
    if (step === 'answer') throw new Error('a call is answered once');
    return step;
  });
}
