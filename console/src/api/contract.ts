// Names for what the pages handle most, all of it from the OpenAPI document.
import type { Schemas } from './openapi.js';

export type Call = Schemas['Call'];
export type CallStatus = Call['status'];
export type Agent = Schemas['Agent'];
export type Batch = Schemas['Batch'];
export type Webhook = Schemas['Webhook'];
export type TranscriptEntry = Schemas['TranscriptEntry'];
export type TranscriptTool = Schemas['TranscriptTool'];

export type Session = Schemas['ConsoleSession'];
export type Turns = Schemas['CallTurns'];
export type Turn = Turns['turns'][number];
export type Percentiles = Turns['percentiles'];
export type Waveform = Schemas['Waveform'];

type LiveEvent =
  | Schemas['LiveCallState']
  | Schemas['LiveCallTranscript']
  | Schemas['LiveCallPartial']
  | Schemas['LiveCallStep']
  | Schemas['LiveCallTool']
  | Schemas['LiveCallMode']
  | Schemas['LiveCallTransfer']
  | Schemas['LiveBatchProgress']
  | Schemas['LiveDelivery']
  | Schemas['LiveSync'];

/** What `GET /api/live` sends, by the name of the event. */
export type LiveEvents = { [E in LiveEvent as E['event']]: E['data'] };
