// Shapes that the OpenAPI document describes only in words (the live stream, sockets) or that the console reads more
// leniently than it describes them.
import type { Schemas } from './openapi.js';

export type Call = Schemas['Call'];
export type CallStatus = Call['status'];
export type Agent = Schemas['Agent'];
export type Batch = Schemas['Batch'];
export type Webhook = Schemas['Webhook'];
export type TranscriptEntry = Schemas['TranscriptEntry'] & { by?: string; unheard?: string | null };
export type TranscriptTool = Schemas['TranscriptTool'];

export interface Session {
  csrf_token: string;
  workspace: string;
  key_name: string;
  scopes: string[];
  expires_at: string;
}

/** What `GET /api/live` sends, by the name of the event. */
export interface LiveEvents {
  'call.state': {
    call_id: string;
    status: CallStatus;
    at: string;
    from_number: string;
    to_number: string;
    agent_id: string;
    direction: 'inbound' | 'outbound';
    batch_id: string | null;
    ended_reason: string | null;
  };
  'call.transcript': { call_id: string; entry: TranscriptEntry };
  'call.partial': { call_id: string; speaker: 'agent' | 'customer'; text: string };
  'call.step': { call_id: string; step: string };
  'call.tool': { call_id: string; name: string; status: string; latency_ms: number | null };
  'batch.progress': { batch_id: string; status: string };
  delivery: { webhook_id: string; event_type: string; status: string; attempt: number };
  sync: Record<string, never>;
}

/** `GET /api/calls/{call_id}/turns`. */
export interface Turns {
  turns: Turn[];
  percentiles: Percentiles | null;
  agent_percentiles: Percentiles | null;
}

export interface Turn {
  index: number;
  started_at_ms: number | null;
  end_of_turn_ms: number | null;
  recognition_ms: number | null;
  model_ms: number | null;
  tool_ms: number | null;
  voice_ms: number | null;
  first_audio_ms: number | null;
  heard: string | null;
  said: string | null;
  interrupted: boolean;
  by: string | null;
}

export interface Percentiles {
  p50: number | null;
  p95: number | null;
}

/** `GET /api/calls/{call_id}/waveform`. */
export interface Waveform {
  duration_ms: number;
  person: number[];
  agent: number[];
}

/** `GET /api/setup`. */
export interface Setup {
  items: { name: string; status: string; detail: string; next: string | null }[];
}
