import type { Line, SpokenBy, SteeringMode } from '#conversation/talk/conversation.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import type { Principal } from '#access/keys/principal.js';

/** By what right a socket carries a call: somebody's own credential, or a token that we minted for one call. */
export type StreamRight =
  { kind: 'principal'; principal: Principal; callId: string } | { kind: 'token'; token: string };

/** What happens in a live call, as the wire shows it to sockets that ask for events (our choice). */
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
  /** The caller speaks another language, and the talk goes on in it (a tag). */
  | { type: 'language.changed'; language: string }
  /** A tool was called, and has answered. */
  | { type: 'tool.called'; name: string; status: string; latency_ms: number }
  /** The playbook waits for an answer at this step. */
  | { type: 'step.reached'; step: string }
  /** Not a person: an answering machine (the call ends), or a service that asks who is calling. */
  | { type: 'call.answered_by'; answered_by: 'machine' | 'screening' }
  /** The caller now talks with the agent, an operator or a joined line, or waits on hold. */
  | { type: 'call.mode'; mode: SteeringMode }
  /** The caller is to talk with somebody else: that is asked for, done, or cannot be done. */
  | { type: 'call.transfer'; to: string; status: 'asked' | 'done' | 'failed'; leg_call_id?: string }
  | { type: 'call.ended'; call_id: string; ended_reason: string };

/** A socket that wants to carry a call. */
export interface StreamOpening {
  right: StreamRight;
  /** The agent of the path or query; null for the default agent, or for the agent the token's call already has. */
  agentId: string | null;
  providerCallId: string | null;
  /** What a client says of the caller whom it carries; of calls that we know already it says nothing. */
  caller?: { number: string; variables: FreeForm };
  line: Line;
  notify(event: LiveEvent): void;
  /** Closes the socket from our side, once everything sent has left. */
  close(code: 1000 | 1001 | 1008 | 1011, reason: string): void;
}

/** A call with its socket, from the socket's side. */
export interface LiveCall {
  readonly callId: string;
  /** Sound from the peer; copied before this returns. */
  hear(samples: Int16Array): void;
  press(digit: string): void;
  type(text: string): void;
  interrupt(): void;
  /** The peer asked to end the call, or its stream said that it is over. */
  hangUp(): void;
  /** The socket is gone. `failure` when it broke or an internal error closed it. */
  disconnected(cause: 'closed' | 'failure'): void;
}

/** Where sockets go with their streams (implemented by the calls module). */
export interface LiveCalls {
  /**
   * Binds a stream to its call and starts the conversation.
   * @throws Problem `unauthorized` for a bad, used or expired token; `agent_not_found`; `unavailable` when draining;
   *   `CarriedElsewhere` where another process has to have it
   */
  open(opening: StreamOpening): Promise<LiveCall>;
}
