import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallMarkup, MarkupStep } from '#telephony/port/call-markup.js';
import type { CarrierHttpAnswer } from '#telephony/port/carrier-webhooks.js';
import { writeJambonzVerbs } from '#telephony/carriers/jambonz/jambonz-verbs.js';
import { writeNcco } from '#telephony/carriers/vonage/ncco.js';
import { writePlivoXml } from '#telephony/carriers/plivo/plivo-xml.js';
import { spokenText } from '#telephony/markup/spoken-text.js';
import { SIGNALWIRE, TELNYX, TWILIO, writeTwiml } from '#telephony/markup/twiml.js';
import { type MarkupDialect, readMarkup } from '#test/support/markup-reader.js';
import { cases } from '#test/support/tier.js';

const WRITERS: Record<MarkupDialect, (document: CallMarkup) => CarrierHttpAnswer> = {
  twilio: (document) => writeTwiml(document, TWILIO),
  signalwire: (document) => writeTwiml(document, SIGNALWIRE),
  telnyx: (document) => writeTwiml(document, TELNYX),
  plivo: writePlivoXml,
  vonage: writeNcco,
  jambonz: writeJambonzVerbs,
};
const DIALECTS = Object.entries(WRITERS) as [MarkupDialect, (document: CallMarkup) => CarrierHttpAnswer][];
const XML_DIALECTS = DIALECTS.filter(([dialect]) => dialect !== 'vonage' && dialect !== 'jambonz');

/** Everything that has ever broken a document. */
const AWKWARD = [
  '&',
  '<',
  '>',
  '"',
  "'",
  '&amp;',
  '&#0;',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '<?',
  '%s',
  '\0',
  '\u0008',
];
const MORE_AWKWARD = [
  '\u001F',
  '\u0085',
  '\uFFFE',
  '\uFFFF',
  '\uD83D',
  '\uDE00',
  '😀',
  '👩‍👩‍👧',
  'é',
  '\r\n',
  '\t',
  '  ',
  '\u2028',
];
const greeting = fc
  .array(
    fc.oneof(
      fc.constantFrom(...AWKWARD, ...MORE_AWKWARD),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Hello', ' '),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const number = fc.integer({ min: 10_000_000, max: 999_999_999 }).map((digits) => `+1${digits}`);
const token = fc.stringMatching(/^st_[A-Za-z0-9_-]{32}$/);
const say = fc.record({
  kind: fc.constant('say' as const),
  text: greeting.map(spokenText).filter((text) => text !== ''),
  language: fc.constantFrom('en-US', 'de-DE', 'pt-BR'),
});
const stream = fc.record({
  kind: fc.constant('stream' as const),
  stream: fc.record({
    url: fc.constantFrom(
      'wss://voice.example.com/ws/stream/agent_42',
      'ws://127.0.0.1:8080/ws/stream/agent_42',
    ),
    parameters: fc.record({
      call_id: fc.stringMatching(/^call_[a-z0-9]{26}$/),
      token,
      tenant: fc.constant('acme7'),
    }),
  }),
  streamEndedUrl: fc.constant('https://voice.example.com/webhook/x/stream-ended?ref=dial_1&n=2'),
});
const dial = fc.record({ kind: fc.constant('dial' as const), to: number, from: number });
const hangUp = fc.constant({ kind: 'hang_up' as const });
const reject = fc.record({
  kind: fc.constant('reject' as const),
  reason: fc.constantFrom('busy' as const, 'rejected'),
});
const document: fc.Arbitrary<CallMarkup> = fc.oneof(
  { weight: 9, arbitrary: fc.array(fc.oneof(say, stream, dial, hangUp), { maxLength: 5 }) },
  { weight: 1, arbitrary: reject.map((step) => [step]) },
);

/** What of a document can be read again in a dialect. */
function heard(dialect: MarkupDialect, steps: CallMarkup): CallMarkup {
  if (dialect === 'vonage') {
    const end = steps.findIndex((step) => step.kind === 'hang_up' || step.kind === 'reject');
    return end === -1 ? steps : steps.slice(0, end);
  }
  if (dialect === 'jambonz')
    return steps.map((step) => (step.kind === 'stream' ? { ...step, streamEndedUrl: '' } : step));
  if (dialect !== 'plivo') return steps;
  return steps.map((step): MarkupStep => {
    if (step.kind !== 'stream') return step;
    const { url, parameters } = step.stream;
    return { ...step, stream: { url: `${url}/${parameters['token']}`, parameters: { tenant: 'acme7' } } };
  });
}

describe.each(DIALECTS)('in the words of %s', (dialect, write) => {
  it('a document says what it said', () => {
    fc.assert(
      fc.property(document, (steps) => {
        expect(readMarkup(dialect, write(steps))).toEqual(heard(dialect, steps));
      }),
      { numRuns: 300 },
    );
  });

  it('any greeting is said, without what nobody can say', () => {
    fc.assert(
      fc.property(greeting, (text) => {
        const said = spokenText(text);
        const expected = said === '' ? [] : [{ kind: 'say', text: said, language: 'en-US' }];
        expect(readMarkup(dialect, write([{ kind: 'say', text, language: 'en-US' }]))).toEqual(expected);
      }),
      { numRuns: cases(200, 1_000) },
    );
  });

  it('a stream has no query', () => {
    const url = 'wss://voice.example.com/ws/stream?token=1';
    const steps: CallMarkup = [
      { kind: 'stream', stream: { url, parameters: {} }, streamEndedUrl: 'https://h/e' },
    ];
    expect(() => write(steps)).toThrow(RangeError);
  });
});

describe('what is said', () => {
  it('keeps words and emoji, and drops controls and halves of characters', () => {
    expect(spokenText(' Hello,\r\n\t Ada\u0000! \uD83D 😀 <3 \uDE00\u0085 ')).toBe('Hello, Ada! 😀 <3');
  });

  // What writes our XML comes from one package with what reads it in the tests; this reader has nothing to do with it.
  it.skipIf(spawnSync('xmllint', ['--version']).error).each(XML_DIALECTS)(
    'a thousand times is what another reader of XML reads: %s',
    (_dialect, write) => {
      const greetings = fc.sample(greeting, 1_000);
      const documents = greetings.map((text) => write([{ kind: 'say', text, language: 'en-US' }]).body);
      const roots = documents.map((document) => document.replace(/^<\?xml [^?]*\?>/, ''));
      const input = `<all>${roots.join('\n')}</all>`;
      const read = execFileSync('xmllint', ['--huge', '--xpath', 'string(/all)', '-'], { input });
      expect(read.toString().replace(/\n$/, '').split('\n')).toEqual(greetings.map(spokenText));
    },
  );
});
