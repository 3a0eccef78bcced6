import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordingOf, secondsBetween } from '#telephony/port/carrier-recording.js';
import type { CarrierEvent, CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { codecOf } from '#telephony/remote-carriers.js';
import { writeClientState } from '#telephony/carriers/telnyx/client-state.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const URL_SAID = 'https://recordings.example.com/RE1?Signature=s%2Bs&Expires=1';
type Said = Readonly<Record<string, unknown>>;

function read(carrier: string, kind: CarrierRequestKind, request: object, dialRef: string | null = REF) {
  return codecOf(carrier).read(kind, carrierRequest(request), dialRef);
}
const form = (said: Record<string, string>) => ({ body: new URLSearchParams(said).toString() });
const json = (said: Said) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(said),
});
const telnyxEvent = (event_type: string, payload: Said) =>
  json({ data: { record_type: 'event', event_type, id: 'e1', payload } });
const recordings = (events: readonly CarrierEvent[]) =>
  events.flatMap((event) => (event.kind === 'recording' ? [event.recording] : []));

const TWIML = {
  CallSid: 'CA1',
  AccountSid: 'AC1',
  RecordingSid: 'RE1',
  RecordingUrl: URL_SAID,
  RecordingStatus: 'completed',
  RecordingDuration: '42',
  RecordingChannels: '2',
};
const SAVED = {
  call_control_id: 'v3:1',
  recording_id: 'RE1',
  channels: 'dual',
  recording_started_at: '2026-11-21T12:00:00.000000Z',
  recording_ended_at: '2026-11-21T12:00:42.250000Z',
  recording_urls: { mp3: URL_SAID },
};
const VONAGE = {
  recording_uuid: 'RE1',
  recording_url: URL_SAID,
  size: 84413,
  conversation_uuid: 'CON-1',
  start_time: '2026-11-21T12:00:00Z',
  end_time: '2026-11-21T12:00:42Z',
  uuid: 'v1',
};
const whole = { dialRef: REF, recordingId: 'RE1', state: 'completed', durationSeconds: 42, url: URL_SAID };

describe('a recording that a carrier has made', () => {
  it.each(['twilio', 'signalwire', 'telnyx_texml', 'generic', 'homemade'])(
    'is told by %s as Twilio tells it',
    (carrier) => {
      expect(read(carrier, 'recording', form(TWIML))).toEqual([
        { kind: 'recording', recording: { ...whole, carrier, providerCallId: 'CA1', channels: 2 } },
      ]);
    },
  );

  it.each([
    ['absent', { state: 'absent', durationSeconds: null, url: null }],
    ['failed', { state: 'failed', durationSeconds: null, url: null }],
  ])('may be %s', (RecordingStatus, expected) => {
    const said = { ...TWIML, RecordingStatus, RecordingDuration: '-1', RecordingUrl: '', ErrorCode: '16101' };
    expect(recordings(read('twilio', 'recording', form(said)))).toMatchObject([expected]);
  });

  it.each(['in-progress', 'paused', 'processing', 'constructor'])('is nothing yet while it is %s', (word) => {
    for (const carrier of ['twilio', 'telnyx_texml', 'generic'])
      expect(read(carrier, 'recording', form({ ...TWIML, RecordingStatus: word }))).toEqual([]);
  });

  it.each(['twilio', 'signalwire', 'telnyx_texml'])(
    'is told by %s in the last report of its call, too',
    (carrier) => {
      const { RecordingStatus: _none, ...recorded } = TWIML;
      const told = read(carrier, 'status', form({ ...recorded, CallStatus: 'completed' }));
      expect(told.map(({ kind }) => kind)).toEqual(['report', 'recording']);
      expect(recordings(told)).toMatchObject([whole]);
      const alone = read(carrier, 'status', form({ CallSid: 'CA1', CallStatus: 'completed' }));
      expect(recordings(alone)).toEqual([]);
    },
  );

  it('is told by Call Control of Telnyx, by the line or by what we have written on it', () => {
    const expected = { ...whole, carrier: 'telnyx', providerCallId: 'v3:1', channels: 2 };
    for (const kind of ['incoming', 'status', 'recording'] as const)
      expect(read('telnyx', kind, telnyxEvent('call.recording.saved', SAVED))).toEqual([
        { kind: 'recording', recording: expected },
      ]);
    const { call_control_id: _line, ...unnamed } = SAVED;
    const marked = { ...unnamed, client_state: writeClientState({ kind: 'dialled', dialRef: REF }) };
    expect(recordings(read('telnyx', 'incoming', telnyxEvent('call_recording_saved', marked), null))).toEqual(
      [{ ...expected, providerCallId: null }],
    );
    expect(read('telnyx', 'incoming', telnyxEvent('call.recording.saved', unnamed), null)).toEqual([]);
    const failed = { call_control_id: 'v3:1', result: 'Internal server error' };
    expect(recordings(read('telnyx', 'status', telnyxEvent('call.recording.error', failed)))).toMatchObject([
      { state: 'failed', url: null, recordingId: null },
    ]);
    const handedOver = {
      ...SAVED,
      client_state: writeClientState({ kind: 'other_leg', providerCallId: 'v3:0' }),
    };
    expect(read('telnyx', 'status', telnyxEvent('call.recording.saved', handedOver))).toEqual([]);
    expect(read('telnyx', 'status', telnyxEvent('call.recording.transcription.saved', SAVED))).toEqual([]);
  });

  it('of Telnyx is best heard where its address lasts', () => {
    const lasting = 'https://lasting.example.com/1.wav';
    const both = { ...SAVED, public_recording_urls: { mp3: null, wav: lasting } };
    expect(recordings(read('telnyx', 'status', telnyxEvent('call.recording.saved', both)))).toMatchObject([
      { url: lasting },
    ]);
  });

  it('is told by Plivo, in a document’s words and in those of its API', () => {
    const document = { CallUUID: 'p1', RecordUrl: URL_SAID, RecordingID: 'RE1', RecordingDuration: '42' };
    const api = { call_uuid: 'p1', record_url: URL_SAID, recording_id: 'RE1', recording_duration: '42' };
    for (const said of [document, api])
      expect(read('plivo', 'recording', form(said))).toEqual([
        {
          kind: 'recording',
          recording: { ...whole, carrier: 'plivo', providerCallId: 'p1', channels: null },
        },
      ]);
    const end = { ...document, Event: 'Hangup', CallStatus: 'completed' };
    for (const kind of ['status', 'incoming'] as const)
      expect(read('plivo', kind, form(end)).map((event) => event.kind)).toEqual(['report', 'recording']);
    // A recording that has only begun has no length.
    const begun = recordings(read('plivo', 'recording', form({ ...document, RecordingDuration: '-1' })));
    expect(begun).toMatchObject([{ durationSeconds: null }]);
  });

  it('is told by Vonage as an event; the call has to be known by something', () => {
    const expected = { ...whole, carrier: 'vonage', providerCallId: 'v1', channels: null };
    for (const kind of ['status', 'recording'] as const)
      expect(read('vonage', kind, json(VONAGE))).toEqual([{ kind: 'recording', recording: expected }]);
    const { uuid: _uuid, ...unnamed } = VONAGE;
    expect(recordings(read('vonage', 'status', json(unnamed)))).toMatchObject([{ providerCallId: null }]);
    expect(read('vonage', 'status', json(unnamed), null)).toEqual([]);
  });

  it('is nothing that jambonz tells of', () => {
    expect(read('jambonz', 'recording', json({ call_sid: 'j1', recording_url: URL_SAID }))).toEqual([]);
  });
});

describe('what is said of a recording is not trusted', () => {
  const call = { carrier: 'twilio', dialRef: null, providerCallId: 'CA1' };

  it.each([
    'javascript:alert(1)',
    'ftp://example.com/a.wav',
    '//example.com/a.wav',
    'https://',
    'https://exa mple.com/a',
    'https://example.com/a\u0000b',
    'https://example.com/a\nb',
    `https://example.com/${'a'.repeat(4_096)}`,
  ])('an address is one of the web, or none: %j', (url) => {
    expect(recordingOf(call, { id: 'RE1', url, state: 'completed' })).toMatchObject({ url: null });
    expect(recordingOf(call, { url })).toBeNull();
  });

  it.each(['', ' ', '-1', '1e9', 'NaN', '0x10', '9'.repeat(30), 'many', '1000001'])(
    'a number is one that can be, or none: %j',
    (said) => {
      const told = recordingOf(call, { id: 'RE1', state: 'completed', seconds: said, channels: said });
      expect(told).toMatchObject({ durationSeconds: null, channels: null });
    },
  );

  it('may be empty, and has a channel all the same', () => {
    const told = recordingOf(call, { id: 'RE1', state: 'completed', seconds: '0', channels: '0' });
    expect(told).toMatchObject({ durationSeconds: 0, channels: null });
  });

  it('no time runs backwards', () => {
    const [early, late] = ['2026-11-21T12:00:00Z', '2026-11-21T12:00:01.5Z'];
    expect(secondsBetween(early, late)).toBe('1.5');
    expect(
      recordingOf(call, { id: 'RE1', state: 'absent', seconds: secondsBetween(late, early) }),
    ).toMatchObject({ durationSeconds: null });
    expect(secondsBetween('soon', late)).toBeNull();
  });

  it('whatever is sent, an entry is small and plain, or there is none', () => {
    const word = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true })));
    const said = fc.record({ id: word, url: word, seconds: word, channels: word });
    fc.assert(
      fc.property(said, fc.constantFrom('completed', 'absent', 'failed', undefined), (words, state) => {
        const told = recordingOf(call, { ...words, state });
        if (told === null) return;
        expect(JSON.stringify(told).length).toBeLessThan(8_192);
        expect(told.recordingId ?? '').not.toContain('\0');
        expect(told.url ?? 'https://x').toMatch(/^https?:\/\/[\x21-\x7E]+$/i);
      }),
    );
  });
});
