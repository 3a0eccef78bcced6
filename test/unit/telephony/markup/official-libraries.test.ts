import type { Verb } from '@jambonz/sdk/types';
import { WebhookResponse } from '@jambonz/sdk/webhook';
import fc from 'fast-check';
import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { describe, expect, it } from 'vitest';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import { writeJambonzVerbs } from '#telephony/carriers/jambonz/jambonz-verbs.js';
import { spokenText } from '#telephony/markup/spoken-text.js';
import { writeTwiml } from '#telephony/markup/twiml.js';
import { readMarkup } from '#test/support/markup-reader.js';

const SOCKET = 'wss://voice.example.com/ws/stream/agent_42';
const ENDED = 'https://voice.example.com/webhook/twilio/stream-ended?ref=1&n=2';
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a & b', '<Say>', '"it\'s"', ']]>', '😀 & 👩‍👩‍👧'))
  .map(spokenText)
  .filter((said) => said !== '');
const token = fc.stringMatching(/^st_[A-Za-z0-9_-]{32}$/);

function greeted(said: string, secret: string): CallMarkup {
  return [
    { kind: 'say', text: said, language: 'de-DE' },
    { kind: 'stream', stream: { url: SOCKET, parameters: { token: secret } }, streamEndedUrl: ENDED },
  ];
}
/** Takes verbs one by one, and throws where one does not fit jambonz' schema of it. */
class CheckedVerbs extends WebhookResponse {
  override addVerb(verb: Verb): this {
    return super.addVerb(verb);
  }
}
const OTHERS: CallMarkup[] = [
  [{ kind: 'dial', to: '+14155550123', from: '+14155550100' }],
  [{ kind: 'reject', reason: 'busy' }],
  [{ kind: 'hang_up' }],
];

describe('Twilio’s library', () => {
  it('writes the same greeting and stream as we do', () => {
    fc.assert(
      fc.property(text, token, (said, secret) => {
        const response = new VoiceResponse();
        response.say({ language: 'de-DE' }, said);
        const stream = response.connect({ action: ENDED }).stream({ url: SOCKET });
        stream.parameter({ name: 'token', value: secret });
        expect(read(response)).toEqual(readMarkup('twilio', writeTwiml(greeted(said, secret))));
      }),
    );
  });

  it('writes the same transfer, refusal and end as we do', () => {
    const [transfer, refusal, end] = [new VoiceResponse(), new VoiceResponse(), new VoiceResponse()];
    transfer.dial({ callerId: '+14155550100' }, '+14155550123');
    refusal.reject({ reason: 'busy' });
    end.hangup();
    const ours = OTHERS.map((document) => writeTwiml(document).body);
    expect([transfer, refusal, end].map(String)).toEqual(ours);
  });

  function read(response: VoiceResponse): CallMarkup {
    return readMarkup('twilio', { status: 200, contentType: 'application/xml', body: response.toString() });
  }
});

describe('jambonz’ library', () => {
  it('writes the same verbs as we do', () => {
    fc.assert(
      fc.property(text, token, (said, secret) => {
        const response = new WebhookResponse({ validate: false })
          .answer()
          .say({ text: said, synthesizer: { vendor: 'default', language: 'de-DE' } })
          .listen({
            url: SOCKET,
            mixType: 'mono',
            sampleRate: 16_000,
            passDtmf: true,
            metadata: { token: secret },
            bidirectionalAudio: { enabled: true, streaming: true, sampleRate: 16_000 },
          });
        expect(JSON.parse(writeJambonzVerbs(greeted(said, secret)).body)).toEqual(response.toJSON());
      }),
    );
  });

  it('finds nothing wrong with ours, and would with others', () => {
    const checked = new CheckedVerbs();
    const greeting = greeted('a & b', 'st_1');
    for (const document of [greeting, ...OTHERS]) {
      const verbs = JSON.parse(writeJambonzVerbs(document).body) as Verb[];
      for (const verb of verbs) checked.addVerb(verb);
      const unknown = verbs.map((verb) => ({ ...verb, verb: `${verb.verb}!` }) as unknown as Verb);
      for (const verb of unknown) expect(() => checked.addVerb(verb)).toThrow(verb.verb);
    }
    const [, , listen] = JSON.parse(writeJambonzVerbs(greeting).body) as [Verb, Verb, Verb];
    expect(() => checked.addVerb({ ...listen, sampleRate: '16000' } as unknown as Verb)).toThrow('listen');
  });
});
