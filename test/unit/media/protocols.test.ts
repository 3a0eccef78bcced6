import { describe, expect, it } from 'vitest';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { createMediaStream } from '#telephony/carriers/twilio/media-stream.js';
import { createRawAudio } from '#telephony/raw-audio.js';
import { ProtocolError } from '#media/protocols/stream-protocol.js';
import { begun, text as message } from '#test/support/stream-sample.js';
import { STREAM_SAMPLES, TWILIO } from '#test/support/stream-samples.js';

const FORMAT = { encoding: 'pcm16', sampleRateHz: 16_000, events: false } as const;

describe('the media-stream protocol', () => {
  it('writes silence, sound that is nearly silent, and part of a frame as they are', () => {
    const protocol = begun(TWILIO);
    const soundOf = (buffer: Buffer | string) => {
      const { media } = JSON.parse(String(buffer)) as { media: { payload: string } };
      return [...Buffer.from(media.payload, 'base64')];
    };
    const silence = protocol.encodeAudio(new Int16Array(160));
    const almost = protocol.encodeAudio(new Int16Array(160).fill(32_124, 159));
    expect(soundOf(silence)).toEqual(Array<number>(160).fill(0xff));
    expect(soundOf(almost)).toEqual([...Array<number>(159).fill(0xff), 0x80]);
    expect(soundOf(protocol.encodeAudio(new Int16Array(80)))).toEqual(Array<number>(80).fill(0xff));
  });

  it('gives sound of whatever length', () => {
    const protocol = begun(TWILIO);
    const media = (sizeBytes: number) => {
      const payload = Buffer.alloc(sizeBytes, 0x80).toString('base64');
      const said = protocol.decode(message({ event: 'media', media: { track: 'inbound', payload } }), false);
      return said?.kind === 'audio' ? said.samples : null;
    };
    for (const sizeBytes of [1, 159, 161, 8000, 160]) {
      expect(media(sizeBytes)).toEqual(new Int16Array(sizeBytes).fill(32_124));
    }
    expect(media(0)).toBeNull();
  });

  it('reads what carriers write without a parser, and anything else with one, to the same effect', () => {
    const samples = Int16Array.from({ length: 160 }, (_, i) => 8_000 * Math.sin(i / 5));
    const bytes = Buffer.alloc(160);
    encodeUlaw(samples, bytes);
    const payload = bytes.toString('base64');
    const usual = `{"event":"media","media":{"track":"inbound","payload":"${payload}"},"streamSid":"MZ"}`;
    const written: [string, string | null][] = [
      [usual, payload],
      [usual.replaceAll(',', ' , ').replaceAll(':', ': '), payload],
      [JSON.stringify({ media: { payload }, event: 'media' }), payload],
      [usual.replace(/\//g, '\\/'), payload],
      [usual.replace(payload, payload.slice(0, -1)), payload],
      [usual.replace('inbound', 'outbound'), null],
      [
        '{"event":"media","note":"\\"track\\":\\"inbound\\" \\"payload\\":\\"AAAA\\"","media":{"payload":"////"}}',
        '////',
      ],
      [usual.replace(payload, ''), null],
    ];
    for (const [text, heard] of written) {
      const protocol = begun(TWILIO);
      const said = protocol.decode(Buffer.from(text), false);
      const expected = heard === null ? null : new Int16Array(Buffer.from(heard, 'base64').length);
      if (expected) decodeUlaw(Buffer.from(heard!, 'base64'), expected);
      expect(said?.kind === 'audio' ? said.samples : null, text).toEqual(expected);
    }
  });

  it('does without a stream id, and survives strange ones', () => {
    const protocol = createMediaStream();
    protocol.decode(message({ event: 'start', start: {} }), false);
    expect(protocol.encodeClear()).toBe('{"event":"clear"}');
    const quoted = createMediaStream();
    quoted.decode(message({ event: 'start', streamSid: 'a"},{"é', start: {} }), false);
    expect(JSON.parse(quoted.encodeAudio(new Int16Array(2)).toString())).toEqual({
      event: 'media',
      streamSid: 'a"},{"é',
      media: { payload: '//8=' },
    });
  });
});

describe('the plain protocol', () => {
  it.each(['a\0b', 'a\ud800b'])('refuses a typed turn that no database takes: %j', (text) => {
    const decode = () => createRawAudio(FORMAT).decode(message({ type: 'text', text }), false);
    expect(decode).toThrow(new ProtocolError('a "text" message is malformed'));
  });

  it("is not that of a carrier's stream, whichever carrier's", () => {
    for (const { opening } of STREAM_SAMPLES) {
      const decode = () => createRawAudio(FORMAT).decode(message(opening[0]), false);
      expect(decode).toThrow(new ProtocolError("a carrier's stream begins with its first message"));
    }
  });

  it('carries half a sample over any number of empty and tiny messages', () => {
    const protocol = createRawAudio({ encoding: 'pcm16', sampleRateHz: 16_000, events: false });
    const heard = [[0x34], [], [0x12, 0xff], [0xff], [0x00, 0x80, 0x01], [0x00]].map((bytes) => {
      const said = protocol.decode(Buffer.from(bytes), true);
      return said?.kind === 'audio' ? [...said.samples] : null;
    });
    expect(heard).toEqual([null, null, [0x1234], [-1], [-32_768], [1]]);
  });

  it('makes a new buffer for each frame: the socket may still hold the last one', () => {
    const protocol = createRawAudio({ encoding: 'pcm16', sampleRateHz: 8000, events: false });
    const first = protocol.encodeAudio(Int16Array.of(1, -2));
    protocol.encodeAudio(Int16Array.of(5, 6));
    expect(first).toEqual(Buffer.from([1, 0, 0xfe, 0xff]));
  });

  it('sends events only to those who asked', () => {
    const format = { encoding: 'pcm16', sampleRateHz: 16_000 } as const;
    expect(createRawAudio({ ...format, events: false }).encodeEvent({ type: 'interrupted' })).toBeNull();
    expect(createRawAudio({ ...format, events: true }).encodeEvent({ type: 'interrupted' })).toBe(
      '{"type":"interrupted"}',
    );
  });
});
