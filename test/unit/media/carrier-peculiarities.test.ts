import { describe, expect, it } from 'vitest';
import { decodeG711, PCM_OF_ALAW, PCM_OF_ULAW } from '#media/samples/g711.js';
import type { StreamProtocol } from '#media/protocols/stream-protocol.js';
import { begun, STREAM_TOKEN, text } from '#test/support/stream-sample.js';
import { JAMBONZ, PLIVO, SIGNALWIRE, TELNYX, TWILIO, VONAGE } from '#test/support/stream-samples.js';

const CODES = Buffer.from(Array.from({ length: 160 }, (_, i) => (i * 3) % 256));
const decoded = (codes: Buffer, law: Int16Array) => {
  const samples = new Int16Array(codes.length);
  decodeG711(codes, samples, law);
  return samples;
};
const heard = (protocol: StreamProtocol, message: Buffer, isBinary = false) => {
  const said = protocol.decode(message, isBinary);
  return said?.kind === 'audio' ? said.samples.slice() : null;
};
/** The text of a message with something else in a place. */
const altered = (message: unknown, what: string | RegExp, by: string) =>
  Buffer.from(JSON.stringify(message).replace(what, by));

describe('Telnyx', () => {
  it("hears the law of the caller's network and answers in μ-law", () => {
    const protocol = TELNYX.create();
    protocol.decode(altered(TELNYX.opening[1], 'PCMU', 'PCMA'), false);
    expect(heard(protocol, TELNYX.sound(CODES, 1))).toEqual(decoded(CODES, PCM_OF_ALAW));
    const unusual = Buffer.from(TELNYX.sound(CODES, 2).toString().replace('"payload":', '"payload" : '));
    expect(heard(protocol, unusual)).toEqual(decoded(CODES, PCM_OF_ALAW));
    expect(TELNYX.soundIn(protocol.encodeAudio(new Int16Array(160)))).toEqual(Buffer.alloc(160, 0xff));
  });

  it('reads rates as text, and does without a format and parameters', () => {
    const spelled = altered(TELNYX.opening[1], '"sample_rate":8000', '"sample_rate":"8000"');
    expect(TELNYX.create().decode(spelled, false)).toEqual(TELNYX.start);
    const bare = { event: 'start', stream_id: 's', start: { custom_parameters: null } };
    expect(TELNYX.create().decode(text(bare), false)).toEqual({
      kind: 'start',
      providerCallId: null,
      parameters: {},
    });
  });

  it('hears sound in the order of its chunks, whichever way these are written', () => {
    const piece = (value: number) => Buffer.alloc(2, value);
    const protocol = begun(TELNYX);
    const unquoted = (message: Buffer) =>
      Buffer.from(message.toString().replace(/"chunk":"(\d+)"/, '"chunk":$1'));
    const unusual = (message: Buffer) => Buffer.from(message.toString().replaceAll('":', '": '));
    const firstCodes = [
      TELNYX.sound(piece(1), 9),
      unquoted(TELNYX.sound(piece(2), 10)),
      TELNYX.sound(piece(4), 12),
      unusual(TELNYX.sound(piece(3), 11)),
      TELNYX.sound(piece(0), 8),
    ].map((message) => heard(protocol, message));
    const pcm = (...values: number[]) =>
      Int16Array.from(values.flatMap((value) => [PCM_OF_ULAW[value]!, PCM_OF_ULAW[value]!]));
    expect(firstCodes).toEqual([pcm(1), pcm(2), null, pcm(3, 4), null]);
  });

  it('hears sound without a number at once, and the other side not at all', () => {
    const protocol = begun(TELNYX);
    const message = TELNYX.sound(CODES, 1).toString();
    const expected = decoded(CODES, PCM_OF_ULAW);
    for (const chunk of ['', '"chunk":"",', '"chunk":"x",', '"chunk":null,']) {
      expect(heard(protocol, Buffer.from(message.replace(/"chunk":"1",/, chunk)))).toEqual(expected);
    }
    expect(heard(protocol, Buffer.from(message.replace('inbound', 'outbound')))).toBeNull();
    expect(
      heard(protocol, Buffer.from(message.replace('inbound', 'outbound').replace('"1"', '"7"'))),
    ).toBeNull();
    expect(heard(protocol, TELNYX.sound(CODES, 1))).toEqual(expected);
  });

  it('prefers a parameter of ours to the state of the same name', () => {
    const parameters = altered(TELNYX.opening[1], /{"token":"[^"]*"}/, '{"client_state":"ours"}');
    expect(TELNYX.create().decode(parameters, false)).toMatchObject({ parameters: { client_state: 'ours' } });
  });
});

describe('Plivo', () => {
  it.each([
    ['token=abc;plan=gold', { token: 'abc', plan: 'gold' }],
    ['token=abc,plan=gold', { token: 'abc', plan: 'gold' }],
    ['{ token = a=b== ; empty= ;nothing; =x}', { token: 'a=b==', empty: '' }],
    ['{}', {}],
    ['', {}],
    [null, {}],
  ])('hands over the headers %j', (headers, parameters) => {
    const start = { ...PLIVO.opening[0], extra_headers: headers };
    expect(PLIVO.create().decode(text(start), false)).toMatchObject({ parameters });
  });

  it('names the stream only when it has a name, and nothing else than the format that was asked for', () => {
    const protocol = PLIVO.create();
    protocol.decode(
      text({ event: 'start', start: { callId: 'c', mediaFormat: { sampleRate: '8000' } } }),
      false,
    );
    expect(protocol.encodeClear()).toBe('{"event":"clearAudio"}');
    expect(protocol.encodeMark('a"b')).toBe('{"event":"checkpoint","name":"a\\"b"}');
    expect(JSON.parse(protocol.encodeAudio(Int16Array.of(0)).toString())).toEqual({
      event: 'playAudio',
      media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload: '/w==' },
    });
  });

  it('knows media by the event of the message itself, not by one within it', () => {
    const within = {
      note: { event: 'media' },
      event: 'dtmf',
      dtmf: { track: 'inbound', digit: '1', payload: '////' },
    };
    expect(begun(PLIVO).decode(text(within), false)).toEqual({ kind: 'dtmf', digit: '1' });
  });
});

describe('SignalWire', () => {
  it('hands our parameters over when it has any', () => {
    for (const [given, parameters] of [
      ['{"token":"abc","tries":2}', { token: 'abc', tries: '2' }],
      ['null', {}],
    ] as const) {
      const start = altered(SIGNALWIRE.opening[1], '"tracks":', `"customParameters":${given},"tracks":`);
      expect(SIGNALWIRE.create().decode(start, false)).toMatchObject({ parameters });
    }
  });
});

describe('Twilio', () => {
  it('hears sound in the order in which it comes', () => {
    const protocol = begun(TWILIO);
    for (const chunk of [2, 1, 9]) {
      expect(heard(protocol, TWILIO.sound(CODES, chunk))).toEqual(decoded(CODES, PCM_OF_ULAW));
    }
  });
});

describe('Vonage', () => {
  const connected = (type: string) =>
    VONAGE.create().decode(altered(VONAGE.opening[0], 'audio/l16;rate=16000', type), false);

  it('speaks the rate that it says', () => {
    const protocol = VONAGE.create();
    protocol.decode(altered(VONAGE.opening[0], 'l16;rate=16000', 'L16; rate=8000'), false);
    expect(protocol.sampleRateHz).toBe(8000);
    expect(protocol.encodeAudio(Int16Array.of(1, -2))).toEqual(Buffer.from([1, 0, 0xfe, 0xff]));
  });

  it.each(['audio/l16;rate=24000', 'audio/l16', 'audio/x-mulaw;rate=8000', ''])('refuses %j', (type) => {
    expect(() => connected(type)).toThrow(/is spoken here|are spoken here/);
  });

  it('refuses a greeting without a format', () => {
    const decode = () => VONAGE.create().decode(text({ event: 'websocket:connected' }), false);
    expect(decode).toThrow('a message is malformed at "content-type"');
  });

  it('does without the id of a call, and takes headers of all kinds as text', () => {
    const { call_uuid: _, ...others } = VONAGE.opening[0] as { call_uuid: string };
    const said = VONAGE.create().decode(
      text({ ...others, tries: 2, is_test: true, list: [1], none: null }),
      false,
    );
    expect(said).toEqual({
      kind: 'start',
      providerCallId: null,
      parameters: { token: STREAM_TOKEN, tries: '2', is_test: 'true' },
    });
  });

  it('hears samples that are cut in half', () => {
    const protocol = begun(VONAGE);
    const messages = [[0x34], [0x12, 0xff], [0xff]].map((bytes) => heard(protocol, Buffer.from(bytes), true));
    expect(messages).toEqual([null, Int16Array.of(0x1234), Int16Array.of(-1)]);
  });
});

describe('jambonz', () => {
  it('is asked for thirty marks at once and no more, until some come back', () => {
    const protocol = begun(JAMBONZ);
    const ask = (count: number) =>
      Array.from({ length: count }, (_, i) => protocol.encodeMark(`utt-${i}`)).filter(
        (mark) => mark !== null,
      );
    expect(ask(40).length).toBe(30);
    protocol.decode(text(JAMBONZ.mark), false);
    protocol.decode(text(JAMBONZ.others[1]), false);
    expect([1, 2, 3].map((i) => protocol.encodeMark(`again-${i}`) !== null)).toEqual([true, true, false]);
    protocol.encodeClear();
    expect(ask(40).length).toBe(30);
  });

  it('reads its rate as text, and refuses two callers in one sound', () => {
    const spelled = altered(JAMBONZ.opening[0], '16000', '"8000"');
    const protocol = JAMBONZ.create();
    protocol.decode(spelled, false);
    expect(protocol.sampleRateHz).toBe(8000);
    const decode = () => JAMBONZ.create().decode(altered(JAMBONZ.opening[0], 'mono', 'stereo'), false);
    expect(decode).toThrow('only the mixType mono is spoken here');
  });

  it('refuses a beginning that is none', () => {
    for (const message of [{}, { event: 'dtmf', dtmf: '1' }, { callSid: 'c', sampleRate: 'fast' }]) {
      const decode = () => JAMBONZ.create().decode(text(message), false);
      expect(decode).toThrow(/^a message is malformed at "/);
    }
  });
});

const NOTHING = { mediaFormat: null, media_format: null, customParameters: null, custom_parameters: null };

// Gateways of one's own copy a carrier's protocol, and write null where they have nothing to say.
it.each([
  ['Twilio', TWILIO, { streamSid: null, start: { streamSid: null, callSid: null, ...NOTHING } }],
  ['Plivo', PLIVO, { start: { callId: null, streamId: null, ...NOTHING }, extra_headers: null }],
  ['Telnyx', TELNYX, { stream_id: null, start: { call_control_id: null, client_state: null, ...NOTHING } }],
])(
  'a start in the words of %s that says nothing with null begins a stream all the same',
  (_, carrier, said) => {
    const protocol = carrier.create();

    expect(protocol.decode(text({ event: 'start', ...said }), false)).toEqual({
      kind: 'start',
      providerCallId: null,
      parameters: {},
    });
    expect(protocol.encodeClear()).not.toContain('null');
    expect(protocol.encodeAudio(new Int16Array(160)).toString()).not.toContain('null');
  },
);
