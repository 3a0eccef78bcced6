import { describe, expect, it } from 'vitest';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import { SIGNALWIRE, TELNYX, writeTwiml } from '#telephony/markup/twiml.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const GREETED: CallMarkup = [
  { kind: 'say', text: 'Hello & welcome', language: 'en-US' },
  {
    kind: 'stream',
    stream: { url: 'wss://voice.example.com/ws/stream/agent_42', parameters: { token: 'abc"<>&' } },
    streamEndedUrl: 'https://voice.example.com/webhook/twilio/stream-ended',
  },
];

describe('a document as TwiML', () => {
  it('greets, then connects the call with a stream', () => {
    expect(writeTwiml(GREETED)).toEqual({
      status: 200,
      contentType: 'application/xml; charset=utf-8',
      body:
        `${HEAD}<Response><Say>Hello &amp; welcome</Say>` +
        '<Connect action="https://voice.example.com/webhook/twilio/stream-ended">' +
        '<Stream url="wss://voice.example.com/ws/stream/agent_42">' +
        '<Parameter name="token" value="abc&quot;&lt;&gt;&amp;"/></Stream></Connect></Response>',
    });
  });

  it('asks Telnyx for raw frames, and to come back when the stream is over', () => {
    const { body } = writeTwiml(GREETED, TELNYX);
    expect(body).toContain(
      '<Connect><Stream url="wss://voice.example.com/ws/stream/agent_42" codec="PCMU" bidirectionalMode="rtp" bidirectionalCodec="PCMU">',
    );
    expect(body).toContain(
      '</Connect><Redirect>https://voice.example.com/webhook/twilio/stream-ended</Redirect>',
    );
  });

  it('asks SignalWire to come back when the stream is over, too', () => {
    expect(writeTwiml(GREETED, SIGNALWIRE).body).toContain(
      '<Connect><Stream url="wss://voice.example.com/ws/stream/agent_42"><Parameter name="token" value="abc&quot;&lt;&gt;&amp;"/>' +
        '</Stream></Connect><Redirect>https://voice.example.com/webhook/twilio/stream-ended</Redirect>',
    );
  });

  it.each<[CallMarkup, string]>([
    [[{ kind: 'reject', reason: 'busy' }], '<Response><Reject reason="busy"/></Response>'],
    [
      [{ kind: 'say', text: 'Goodbye', language: 'en-US' }, { kind: 'hang_up' }],
      '<Response><Say>Goodbye</Say><Hangup/></Response>',
    ],
    [
      [{ kind: 'dial', to: '+14155550123', from: '+14155550100' }],
      '<Response><Dial callerId="+14155550100">+14155550123</Dial></Response>',
    ],
    [
      [{ kind: 'say', text: 'Guten Tag', language: 'de-DE' }],
      '<Response><Say language="de-DE">Guten Tag</Say></Response>',
    ],
    [[{ kind: 'say', text: ' \u0000\n', language: 'en-US' }], '<Response/>'],
    [[], '<Response/>'],
  ])('%j', (document, expected) => {
    expect(writeTwiml(document).body).toBe(HEAD + expected);
  });

  it('refuses an address with a query, which Twilio would drop', () => {
    const document: CallMarkup = [
      {
        kind: 'stream',
        stream: { url: 'wss://h/ws?token=1', parameters: {} },
        streamEndedUrl: 'https://h/e',
      },
    ];
    expect(() => writeTwiml(document)).toThrow(RangeError);
  });
});
