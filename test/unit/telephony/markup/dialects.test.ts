import { describe, expect, it } from 'vitest';
import type { CallMarkup } from '#telephony/port/call-markup.js';
import { writeJambonzVerbs } from '#telephony/carriers/jambonz/jambonz-verbs.js';
import { writeNcco } from '#telephony/carriers/vonage/ncco.js';
import { writePlivoXml } from '#telephony/carriers/plivo/plivo-xml.js';

const SOCKET = 'wss://voice.example.com/ws/stream/agent_42';
const ENDED = 'https://voice.example.com/webhook/carrier/stream-ended';

function greeted(parameters: Record<string, string>, providerCallId: string | null = null): CallMarkup {
  return [
    { kind: 'say', text: 'Hello & welcome', language: 'en-US' },
    { kind: 'stream', stream: { url: SOCKET, parameters }, streamEndedUrl: ENDED, providerCallId },
  ];
}
const TRANSFER: CallMarkup = [{ kind: 'dial', to: '+14155550123', from: '+14155550100' }];
const BUSY: CallMarkup = [{ kind: 'reject', reason: 'busy' }];

describe('a document as Plivo XML', () => {
  it('greets and streams, with the token in the address and only letters and digits in the headers', () => {
    const { contentType, body } = writePlivoXml(
      greeted({ call_id: 'call_01', token: 'st_a-b', tenant_id: 'acme7' }),
    );
    expect(contentType).toBe('application/xml; charset=utf-8');
    expect(body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Speak>Hello &amp; welcome</Speak>' +
        '<Stream bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000"' +
        ' extraHeaders="tenantid=acme7" statusCallbackUrl="https://voice.example.com/webhook/carrier/stream-status">' +
        `${SOCKET}/st_a-b</Stream><Redirect>${ENDED}</Redirect></Response>`,
    );
  });

  it('refuses with a reason, and dials without the plus', () => {
    expect(writePlivoXml(BUSY).body).toContain('<Response><Hangup reason="busy"/></Response>');
    expect(writePlivoXml(TRANSFER).body).toContain(
      '<Dial callerId="14155550100"><Number>14155550123</Number></Dial>',
    );
  });
});

describe('a document as an NCCO', () => {
  it('talks, then connects the call with a socket', () => {
    const uuid = 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab';
    const { contentType, body } = writeNcco(greeted({ token: 'abc' }, uuid));
    expect(contentType).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body)).toEqual([
      { action: 'talk', text: 'Hello & welcome' },
      {
        action: 'connect',
        eventType: 'synchronous',
        eventUrl: [ENDED],
        endpoint: [
          {
            type: 'websocket',
            uri: SOCKET,
            'content-type': 'audio/l16;rate=16000',
            headers: { token: 'abc', call_uuid: uuid },
          },
        ],
      },
    ]);
  });

  it('repeats nothing that is no id of a call there', () => {
    expect(writeNcco(greeted({ token: 'abc' }, '"/><Evil')).body).toContain('"headers":{"token":"abc"}');
  });

  it('ends where the call ends, and refuses with nothing to do', () => {
    expect(writeNcco([{ kind: 'hang_up' }, ...TRANSFER]).body).toBe('[]');
    expect(writeNcco(BUSY).body).toBe('[]');
    expect(JSON.parse(writeNcco(TRANSFER).body)).toEqual([
      { action: 'connect', from: '14155550100', endpoint: [{ type: 'phone', number: '14155550123' }] },
    ]);
  });
});

describe('a document as verbs of jambonz', () => {
  it('answers, says, and listens both ways', () => {
    expect(JSON.parse(writeJambonzVerbs(greeted({ token: 'abc' })).body)).toEqual([
      { verb: 'answer' },
      { verb: 'say', text: 'Hello & welcome' },
      {
        verb: 'listen',
        url: SOCKET,
        mixType: 'mono',
        sampleRate: 16000,
        passDtmf: true,
        metadata: { token: 'abc' },
        bidirectionalAudio: { enabled: true, streaming: true, sampleRate: 16000 },
      },
    ]);
  });

  it('declines without answering', () => {
    expect(JSON.parse(writeJambonzVerbs(BUSY).body)).toEqual([
      { verb: 'sip:decline', status: 486, reason: 'Busy Here' },
    ]);
    expect(JSON.parse(writeJambonzVerbs([{ kind: 'reject', reason: 'rejected' }]).body)).toEqual([
      { verb: 'sip:decline', status: 603, reason: 'Decline' },
    ]);
  });
});
