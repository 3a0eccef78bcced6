import type { Line, SpokenBy, SteeringMode } from '#conversation/talk/conversation.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import type { Principal } from '#access/keys/principal.js';

// The contract between audio sockets (`src/ws`) and the calls module: a socket opens a `LiveCall`, feeds it with audio,
// and receives its events. `AudioStreams` implements `LiveCalls`, `LiveSession` implements `LiveCall`.

/** The authorisation of a socket: a client's own credential, or a token that was minted for one call. */
export type StreamRight =
  { kind: 'principal'; principal: Principal; callId: string } | { kind: 'token'; token: string };

/** An event of a live call, as sockets that ask for events receive it (docs/live.md). */
export type LiveEvent =
  | { type: 'session.started'; call_id: string; sample_rate: number }
  | { type: 'transcript.partial'; speaker: 'customer'; text: string }
  | {
      type: 'transcript.final';
      speaker: 'agent' | 'customer';
      text: string;
      timestamp: string;
      confidence: number;
      start_ms: number;
      end_ms: number;
      interrupted: boolean;
      language?: string;
      by?: SpokenBy;
    }
  | { type: 'agent.state'; state: 'listening' | 'thinking' | 'speaking' }
  | { type: 'interrupted' }
  /** The caller speaks another language, and the talk continues in it; `language` is a BCP 47 tag. */
  | { type: 'language.changed'; language: string }
  /** A tool call is over. */
  | { type: 'tool.called'; name: string; status: string; latency_ms: number }
  /** The playbook waits for an answer at this step. */
  | { type: 'step.reached'; step: string }
  /**
   * No person has answered: an answering machine (the agent's `voicemail` decides what follows), or a service that asks
   * who is calling.
   */
  | { type: 'call.answered_by'; answered_by: 'machine' | 'screening' }
  /** The caller now talks with the agent, an operator or a joined line, or waits on hold. */
  | { type: 'call.mode'; mode: SteeringMode }
  /** A transfer of the caller was requested, succeeded or failed. */
  | { type: 'call.transfer'; to: string; status: 'asked' | 'done' | 'failed'; leg_call_id?: string }
  | { type: 'call.ended'; call_id: string; ended_reason: string };

/** The request of a socket to carry a call. */
export interface StreamOpening {
  right: StreamRight;
  /** The agent of the path or query; null for the default agent, or for the agent the token's call already has. */
  agentId: string | null;
  /** The carrier's id of the call, if the stream names it. */
  providerCallId: string | null;
  /** The caller that a client reports for its own stream; absent for a stream with a token. */
  caller?: { number: string; variables: FreeForm };
  /** Sends the agent's audio to the socket. */
  line: Line;
  /** Sends an event to the socket. */
  notify(event: LiveEvent): void;
  /** Closes the socket once everything sent has left. */
  close(code: 1000 | 1001 | 1008 | 1011, reason: string): void;
}

/** A live call, as its socket uses it. */
export interface LiveCall {
  readonly callId: string;
  /** Takes audio from the peer; the samples are copied before this returns. */
  hear(samples: Int16Array): void;
  /** A DTMF digit from the caller. */
  press(digit: string): void;
  /** Text that the caller typed in place of speech. */
  type(text: string): void;
  /** The peer asks the agent to stop speaking. */
  interrupt(): void;
  /** The peer asked to end the call, or its stream reported the end. */
  hangUp(): void;
  /** The socket is closed: `failure` when it broke or an internal error closed it. */
  disconnected(cause: 'closed' | 'failure'): void;
}

/** Opens calls for sockets; implemented by the calls module. */
export interface LiveCalls {
  /**
   * Binds a stream to its call and starts the conversation.
   * @throws Problem `unauthorized` for a bad, used or expired token; `agent_not_found`; `provider_not_configured`;
   *   `unavailable` when draining, or when a client's own stream finds no free slot; `invalid_state` if the caller of a
   *   warm transfer is gone; `CarriedElsewhere` if another process must carry the stream
   */
  open(opening: StreamOpening): Promise<LiveCall>;
}
