import { describe, expect, it } from 'vitest';
import { PCM_OF_ULAW } from '#media/samples/g711.js';
import { createProtocolDetector } from '#telephony/detect-protocol.js';
import { ProtocolError, type StreamProtocol } from '#media/protocols/stream-protocol.js';
import { begun, text } from '#test/support/stream-sample.js';
import { JAMBONZ, PLIVO, STREAM_SAMPLES, TELNYX, TWILIO } from '#test/support/stream-samples.js';

/** 20 ms of samples that survive μ-law, all different from their neighbours. */
const tone = (rateHz: number) =>
  Int16Array.from({ length: rateHz / 50 }, (_, i) => PCM_OF_ULAW[(i * 37) % 256]!);

describe.each(STREAM_SAMPLES)('the protocol of $carrier', (sample) => {
  const isBinary = sample.create().audioFrames === 'binary';

  function hear(protocol: StreamProtocol, message: Buffer): Int16Array | null {
    const said = protocol.decode(message, isBinary);
    expect(said?.kind ?? 'audio').toBe('audio');
    return said?.kind === 'audio' ? said.samples.slice() : null;
  }

  it('is recognised by its first messages', () => {
    const detect = createProtocolDetector();
    const detected = sample.opening.map((message) => detect(text(message), false));
    const greetings = sample.opening.slice(1).map(() => 'greeted');
    expect(detected.slice(0, -1)).toEqual(greetings);
    expect(detected.at(-1)).toMatchObject({ name: sample.create().name });
  });

  it('says who calls, and hands our parameters over, once', () => {
    const protocol = sample.create();
    const said = sample.opening.map((message) => protocol.decode(text(message), false));
    expect(said.at(-1)).toEqual(sample.start);
    expect(said.slice(0, -1).every((message) => message === null)).toBe(true);
    expect(protocol.sampleRateHz).toBe(sample.sampleRateHz);
    expect(protocol.decode(text(sample.opening.at(-1)), false)).toBeNull();
  });

  it('carries sound to the peer and back without a change', () => {
    const protocol = begun(sample);
    const samples = tone(sample.sampleRateHz);
    for (let chunk = 1; chunk <= 3; chunk++) {
      const sent = sample.soundIn(protocol.encodeAudio(samples));
      expect(sent.length).toBe(isBinary ? samples.length * 2 : samples.length);
      expect(hear(protocol, sample.sound(sent, chunk))).toEqual(samples);
    }
    const silence = new Int16Array(samples.length);
    const silent = sample.soundIn(protocol.encodeAudio(silence));
    expect(hear(protocol, sample.sound(silent, 4))).toEqual(silence);
    expect(hear(protocol, sample.sound(Buffer.alloc(0), 5))).toBeNull();
  });

  it('asks for marks and for a clearing as the carrier wants it', () => {
    const protocol = begun(sample);
    expect(JSON.parse(protocol.encodeMark('utt-1')!)).toEqual(sample.wantsMark);
    expect(JSON.parse(protocol.encodeClear()!)).toEqual(sample.wantsClear);
    expect(protocol.encodeEvent({ type: 'pong' })).toBeNull();
  });

  it('understands keys, marks and the end, and leaves the rest unread', () => {
    const protocol = begun(sample);
    const say = (message: unknown) => protocol.decode(text(message), false);
    expect(say(sample.dtmf)).toEqual({ kind: 'dtmf', digit: '1' });
    expect(say(sample.mark)).toEqual({ kind: 'mark', name: 'utt-1' });
    if (sample.stop) expect(say(sample.stop)).toEqual({ kind: 'stop' });
    for (const other of [...sample.others, { event: 'new' }, { type: 'new' }, {}]) {
      expect(say(other)).toBeNull();
    }
  });

  it('takes small letters for keys, and leaves what is no key of a telephone unread', () => {
    const protocol = begun(sample);
    const press = (key: string) =>
      protocol.decode(Buffer.from(JSON.stringify(sample.dtmf).replace('"1"', `"${key}"`)), false);
    expect(press('d')).toEqual({ kind: 'dtmf', digit: 'D' });
    // A flash of the hook.
    expect(press('F')).toBeNull();
    expect(press('!')).toBeNull();
    expect(press('#')).toEqual({ kind: 'dtmf', digit: '#' });
  });

  it('takes figures for text', () => {
    const spelled = JSON.stringify(sample.dtmf).replace(/"1"(?=[,}])/, '1');
    expect(begun(sample).decode(Buffer.from(spelled), false)).toEqual({ kind: 'dtmf', digit: '1' });
  });

  it.each([
    ['text that is no JSON', '{', 'text frames hold JSON objects'],
    ['text that is no object', '[1]', 'text frames hold JSON objects'],
    [
      'a key that no telephone has',
      JSON.stringify(sample.dtmf).replace('"1"', '"one"'),
      'a message is malformed at "',
    ],
    [
      'a mark without an end',
      JSON.stringify(sample.mark).replace('utt-1', 'x'.repeat(257)),
      'a message is malformed at "',
    ],
  ])('refuses %s', (_what, message, reason) => {
    const decode = () => begun(sample).decode(Buffer.from(message), false);
    expect(decode).toThrow(ProtocolError);
    expect(decode).toThrow(reason);
  });

  it('refuses U+0000 in the id of a call, which no database takes', () => {
    const id = sample.start.providerCallId!;
    const opening = JSON.stringify(sample.opening.at(-1)).replaceAll(id, `${id}\\u0000`);
    const decode = () => sample.create().decode(Buffer.from(opening), false);
    expect(decode).toThrow(/^a message is malformed at "/);
  });

  it('refuses sound before the start', () => {
    const decode = () => sample.create().decode(sample.sound(Buffer.alloc(160), 1), isBinary);
    expect(decode).toThrow(/came before/);
  });

  it('refuses sound in a format that is not spoken here', () => {
    const opening = JSON.stringify(sample.opening.at(-1))
      .replace(/audio\/x-mulaw|PCMU/, 'audio/x-l16')
      .replace(/16000/, '24000');
    const decode = () => sample.create().decode(Buffer.from(opening), false);
    expect(decode).toThrow(/spoken here/);
  });
});

describe('what is spoken', () => {
  it('is text only, with those who began so and carry sound in text', () => {
    const spokenAsText = STREAM_SAMPLES.filter(({ create }) => create().audioFrames === 'text');
    expect(spokenAsText.map(({ carrier }) => carrier)).toEqual(['twilio', 'signalwire', 'telnyx', 'plivo']);
    for (const sample of spokenAsText) {
      const decode = () => begun(sample).decode(Buffer.alloc(160), true);
      expect(decode).toThrow('this protocol has text frames only');
    }
  });

  it('is the plain protocol when nothing says otherwise', () => {
    const plain: [unknown, boolean][] = [
      [{ event: 'start' }, true],
      [{ event: 'hello' }, false],
      [{ type: 'ping' }, false],
      [{ callSid: 'CA1' }, false],
    ];
    for (const [message, isBinary] of plain) {
      expect(createProtocolDetector()(text(message), isBinary)).toBe('plain');
    }
    expect(() => createProtocolDetector()(text([]), false)).toThrow(ProtocolError);
  });

  it('is that of a carrier once it has greeted, whatever comes before its start', () => {
    const detect = createProtocolDetector();
    expect(detect(text({ event: 'connected' }), false)).toBe('greeted');
    expect(detect(text({ event: 'new' }), false)).toBe('greeted');
    expect(() => detect(Buffer.alloc(160), true)).toThrow(
      'a stream that began with text has its start in text',
    );
    expect(detect(text(TELNYX.opening[1]), false)).toMatchObject({ name: 'telnyx_stream' });
  });

  it('is not mistaken when a carrier leaves out what it may', () => {
    const name = (start: unknown) =>
      createProtocolDetector()(text({ event: 'start', ...Object(start) }), false);
    expect(name({ stream_id: 's', start: {} })).toMatchObject({ name: 'telnyx_stream' });
    expect(name({ start: { call_control_id: 'c' } })).toMatchObject({ name: 'telnyx_stream' });
    expect(name({ start: { streamId: 's' } })).toMatchObject({ name: 'plivo_stream' });
    expect(name({ start: { streamSid: 's' } })).toMatchObject({ name: 'media_stream' });
    expect(name({ start: null })).toMatchObject({ name: 'media_stream' });
  });

  it('has a life of its own for every connection', () => {
    const [first, second] = [begun(TWILIO), TWILIO.create()];
    expect(first.encodeClear()).not.toBe(second.encodeClear());
    expect(begun(PLIVO)).not.toBe(begun(PLIVO));
    expect(JAMBONZ.create().sampleRateHz).toBe(8000);
  });
});
