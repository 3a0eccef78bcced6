import { createJambonzStream } from '#telephony/carriers/jambonz/jambonz-stream.js';
import { createMediaStream } from '#telephony/carriers/twilio/media-stream.js';
import { createPlivoStream } from '#telephony/carriers/plivo/plivo-stream.js';
import { createTelnyxStream } from '#telephony/carriers/telnyx/telnyx-stream.js';
import { createVonageStream } from '#telephony/carriers/vonage/vonage-stream.js';
import { asIs, payloadIn, STREAM_TOKEN, text, type StreamSample } from './stream-sample.js';

const MZ = 'MZ0123456789abcdef0123456789abcdef';
const CA = 'CA0123456789abcdef0123456789abcdef';
const TWILIO_FORMAT = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };

export const TWILIO: StreamSample = {
  carrier: 'twilio',
  create: createMediaStream,
  sampleRateHz: 8000,
  opening: [
    { event: 'connected', protocol: 'Call', version: '1.0.0' },
    {
      event: 'start',
      sequenceNumber: '1',
      start: {
        accountSid: 'AC0123456789abcdef0123456789abcdef',
        streamSid: MZ,
        callSid: CA,
        tracks: ['inbound'],
        mediaFormat: TWILIO_FORMAT,
        customParameters: { token: STREAM_TOKEN },
      },
      streamSid: MZ,
    },
  ],
  start: { kind: 'start', providerCallId: CA, parameters: { token: STREAM_TOKEN } },
  sound: (bytes, chunk) =>
    text({
      event: 'media',
      sequenceNumber: `${chunk + 1}`,
      media: { track: 'inbound', chunk: `${chunk}`, timestamp: '5', payload: bytes.toString('base64') },
      streamSid: MZ,
    }),
  soundIn: payloadIn,
  dtmf: {
    event: 'dtmf',
    streamSid: MZ,
    sequenceNumber: '3',
    dtmf: { track: 'inbound_track', digit: '1' },
  },
  mark: { event: 'mark', sequenceNumber: '4', streamSid: MZ, mark: { name: 'utt-1' } },
  stop: { event: 'stop', sequenceNumber: '5', stop: { accountSid: 'AC01', callSid: CA }, streamSid: MZ },
  others: [],
  wantsMark: { event: 'mark', streamSid: MZ, mark: { name: 'utt-1' } },
  wantsClear: { event: 'clear', streamSid: MZ },
};

const SIGNALWIRE_STREAM = '60a2dd68-ddb9-4e5e-9c5e-bb6b7c8d8d6e';
const SIGNALWIRE_CALL = '76ac3c36-56da-4a3e-a0d6-b5f8df6da9ad';

/** Like Twilio, but only `start` has the stream id. */
export const SIGNALWIRE: StreamSample = {
  ...TWILIO,
  carrier: 'signalwire',
  opening: [
    { event: 'connected', protocol: 'Call', version: '0.2.0' },
    {
      event: 'start',
      sequenceNumber: '1',
      start: {
        accountSid: 'b08dacad-2f6c-4de1-93d6-cc732e0c69c5',
        streamSid: SIGNALWIRE_STREAM,
        callSid: SIGNALWIRE_CALL,
        tracks: ['inbound'],
        mediaFormat: TWILIO_FORMAT,
      },
    },
  ],
  start: { kind: 'start', providerCallId: SIGNALWIRE_CALL, parameters: {} },
  sound: (bytes, chunk) =>
    text({
      event: 'media',
      sequenceNumber: `${chunk + 1}`,
      media: { track: 'inbound', chunk: `${chunk}`, timestamp: '5', payload: bytes.toString('base64') },
    }),
  dtmf: { event: 'dtmf', sequenceNumber: '3', dtmf: { digit: '1', duration: 2000 } },
  mark: { event: 'mark', sequenceNumber: '4', mark: { name: 'utt-1' } },
  stop: { event: 'stop', sequenceNumber: '5' },
  wantsMark: { event: 'mark', streamSid: SIGNALWIRE_STREAM, mark: { name: 'utt-1' } },
  wantsClear: { event: 'clear', streamSid: SIGNALWIRE_STREAM },
};

const TELNYX_STREAM = '32de0dea-53cb-4b21-89a4-9e1819c043bc';
const TELNYX_USER = '3e6f995f-85f7-4705-9741-53b116d28237';

export const TELNYX: StreamSample = {
  carrier: 'telnyx',
  create: createTelnyxStream,
  sampleRateHz: 8000,
  opening: [
    { event: 'connected', version: '1.0.0' },
    {
      event: 'start',
      sequence_number: '1',
      stream_id: TELNYX_STREAM,
      start: {
        user_id: TELNYX_USER,
        call_control_id: 'v3:abc',
        call_session_id: 'ff55a038-6f5d-11ef-9692-02420aeffb1f',
        from: '+14155550123',
        to: '+15557654321',
        tags: [],
        client_state: 'aGF2ZSBhIG5pY2UgZGF5ID1d',
        custom_parameters: { token: STREAM_TOKEN },
        media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
      },
    },
  ],
  start: {
    kind: 'start',
    providerCallId: 'v3:abc',
    parameters: { client_state: 'aGF2ZSBhIG5pY2UgZGF5ID1d', token: STREAM_TOKEN },
  },
  sound: (bytes, chunk) =>
    text({
      event: 'media',
      sequence_number: `${chunk + 2}`,
      stream_id: TELNYX_STREAM,
      media: { track: 'inbound', chunk: `${chunk}`, timestamp: '5', payload: bytes.toString('base64') },
    }),
  soundIn: payloadIn,
  dtmf: {
    event: 'dtmf',
    stream_id: TELNYX_STREAM,
    occurred_at: '2026-11-20T12:00:00.000000Z',
    sequence_number: '5',
    dtmf: { digit: '1' },
  },
  mark: { event: 'mark', sequence_number: '6', stream_id: TELNYX_STREAM, mark: { name: 'utt-1' } },
  stop: {
    event: 'stop',
    sequence_number: '8',
    stream_id: TELNYX_STREAM,
    stop: { user_id: TELNYX_USER, call_control_id: 'v3:abc' },
  },
  others: [
    {
      event: 'error',
      stream_id: TELNYX_STREAM,
      sequence_number: '7',
      payload: { code: 100003, title: 'malformed_frame', detail: 'x' },
    },
    { event: 'error', error: { code: 100005, title: 'rate_limit_reached' } },
  ],
  wantsMark: { event: 'mark', mark: { name: 'utt-1' } },
  wantsClear: { event: 'clear' },
};

const PLIVO_STREAM = 'b77e037d-4119-44b5-902d-25826b654539';

export const PLIVO: StreamSample = {
  carrier: 'plivo',
  create: createPlivoStream,
  sampleRateHz: 8000,
  opening: [
    {
      sequenceNumber: 0,
      event: 'start',
      start: {
        callId: '9834029e-58b6-11e1-b8b7-a5bd0e4e126f',
        streamId: PLIVO_STREAM,
        accountId: 'MA00',
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 },
      },
      extra_headers: `token=${STREAM_TOKEN}`,
    },
  ],
  start: {
    kind: 'start',
    providerCallId: '9834029e-58b6-11e1-b8b7-a5bd0e4e126f',
    parameters: { token: STREAM_TOKEN },
  },
  sound: (bytes, chunk) =>
    text({
      sequenceNumber: chunk,
      streamId: PLIVO_STREAM,
      event: 'media',
      media: { track: 'inbound', timestamp: '1700000000000', chunk, payload: bytes.toString('base64') },
      extra_headers: `token=${STREAM_TOKEN}`,
    }),
  soundIn: payloadIn,
  dtmf: {
    event: 'dtmf',
    sequenceNumber: 2,
    streamId: PLIVO_STREAM,
    dtmf: { track: 'inbound', digit: '1', timestamp: '1700000000100' },
  },
  mark: { event: 'playedStream', streamId: PLIVO_STREAM, name: 'utt-1' },
  stop: { event: 'stop', streamId: PLIVO_STREAM },
  others: [{ event: 'clearedAudio', streamId: PLIVO_STREAM, sequenceNumber: 3 }],
  wantsMark: { event: 'checkpoint', streamId: PLIVO_STREAM, name: 'utt-1' },
  wantsClear: { event: 'clearAudio', streamId: PLIVO_STREAM },
};

const VONAGE_CALL = 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab';

export const VONAGE: StreamSample = {
  carrier: 'vonage',
  create: createVonageStream,
  sampleRateHz: 16_000,
  opening: [
    {
      event: 'websocket:connected',
      'content-type': 'audio/l16;rate=16000',
      call_uuid: VONAGE_CALL,
      token: STREAM_TOKEN,
    },
  ],
  start: {
    kind: 'start',
    providerCallId: VONAGE_CALL,
    parameters: { call_uuid: VONAGE_CALL, token: STREAM_TOKEN },
  },
  sound: asIs,
  soundIn: asIs,
  dtmf: { event: 'websocket:dtmf', digit: '1', duration: 260 },
  mark: { event: 'websocket:notify', payload: { mark: 'utt-1' } },
  stop: null,
  others: [{ event: 'websocket:cleared' }, { event: 'websocket:notify', payload: { note: 'of others' } }],
  wantsMark: { action: 'notify', payload: { mark: 'utt-1' } },
  wantsClear: { action: 'clear' },
};

const JAMBONZ_CALL = {
  sampleRate: 16_000,
  mixType: 'mono',
  callSid: 'b5e39996-bd2f-4bda-b928-355147186a2a',
  direction: 'inbound',
  from: '+14155550123',
  to: '+15557654321',
  callId: '7ade3efb',
  sipStatus: 200,
  callStatus: 'in-progress',
  accountSid: '300be250',
  applicationSid: '0e0681b0',
  token: STREAM_TOKEN,
};

export const JAMBONZ: StreamSample = {
  carrier: 'jambonz',
  create: createJambonzStream,
  sampleRateHz: 16_000,
  opening: [{ ...JAMBONZ_CALL, customerData: { of: 'theirs' } }],
  start: {
    kind: 'start',
    providerCallId: JAMBONZ_CALL.callSid,
    parameters: { ...JAMBONZ_CALL, sampleRate: '16000', sipStatus: '200' },
  },
  sound: asIs,
  soundIn: asIs,
  dtmf: { event: 'dtmf', dtmf: '1', duration: '1600' },
  mark: { type: 'mark', data: { name: 'utt-1', event: 'playout' } },
  stop: null,
  others: [
    { type: 'playDone', data: { id: 'p1' } },
    { type: 'mark', data: { name: 'utt-2', event: 'cleared' } },
  ],
  wantsMark: { type: 'mark', data: { name: 'utt-1' } },
  wantsClear: { type: 'killAudio' },
};

export const STREAM_SAMPLES: readonly StreamSample[] = [TWILIO, SIGNALWIRE, TELNYX, PLIVO, VONAGE, JAMBONZ];
