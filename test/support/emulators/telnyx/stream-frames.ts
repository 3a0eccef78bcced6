import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** The call of a stream, in the terms of its messages. */
export interface StreamOfCall {
  callControlId: string;
  callSessionId: string;
  from: string;
  to: string;
  clientState: string | null;
  /** Parameters from the document to its stream. */
  parameters: Readonly<Record<string, string>>;
}

/** Writes Telnyx's messages of a stream. Source: Telnyx, "Media streaming". Counters are strings. */
export class StreamFrames {
  readonly streamId = randomUUID();
  readonly #call: StreamOfCall;
  #sequenceNumber = 0;
  #chunk = 0;

  constructor(call: StreamOfCall) {
    this.#call = call;
  }

  connected(): object {
    return { event: 'connected', version: '1.0.0' };
  }

  start(): object {
    const { callControlId, callSessionId, from, to, clientState, parameters } = this.#call;
    return this.#numbered('start', {
      user_id: randomUUID(),
      call_control_id: callControlId,
      call_session_id: callSessionId,
      from,
      to,
      tags: [],
      client_state: clientState,
      custom_parameters: parameters,
      media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
    });
  }

  media(payload: Buffer): object {
    this.#chunk += 1;
    return this.#numbered('media', {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String((this.#chunk - 1) * 20),
      payload: payload.toString('base64'),
    });
  }

  mark(name: string): object {
    return this.#numbered('mark', { name });
  }

  dtmf(digit: string): object {
    return this.#numbered('dtmf', { digit });
  }

  error(title: string): object {
    return this.#numbered('error', { code: 100_003, title, detail: title });
  }

  stop(): object {
    return this.#numbered('stop', { user_id: randomUUID(), call_control_id: this.#call.callControlId });
  }

  #numbered(event: string, content: object): object {
    this.#sequenceNumber += 1;
    return {
      event,
      sequence_number: String(this.#sequenceNumber),
      [event]: content,
      stream_id: this.streamId,
    };
  }
}

/** The messages of a service; they have no stream id. */
const serviceFrame = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('media'), media: z.strictObject({ payload: z.base64() }) }),
  z.strictObject({ event: z.literal('mark'), mark: z.strictObject({ name: z.string() }) }),
  z.strictObject({ event: z.literal('clear') }),
]);
export type ServiceFrame = z.infer<typeof serviceFrame>;

/** Parses a message of the service on a stream; null if malformed. */
export function readServiceFrame(text: string): ServiceFrame | null {
  try {
    return serviceFrame.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
