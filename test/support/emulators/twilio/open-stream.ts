import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import type { EmulatorLog } from '#test/support/emulators/emulator-log.js';
import type { PendingWork } from '#test/support/emulators/pending-work.js';
import type { Person } from '#test/support/emulators/person.js';
import type { Dialect } from './dialect.js';
import { MediaGateway as TelnyxGateway } from '#test/support/emulators/telnyx/media-gateway.js';
import { MediaGateway } from './media-gateway.js';
import type { StreamNoun } from './twiml.js';

export interface StreamParts {
  dialect: Dialect;
  pacingTimer: PacingTimer;
  signingKey: string;
  log: EmulatorLog;
  pending: PendingWork;
  reach: (url: string) => string;
  tell(event: 'stream-started' | 'stream-stopped' | 'stream-error', streamSid: string, error: string): void;
}

/** A stream in either protocol. */
export type Gateway = MediaGateway | TelnyxGateway;

export interface StreamedCall {
  callSid: string;
  accountSid: string;
  from: string;
  to: string;
  person: Person;
  streams: Gateway[];
}

/** Opens a stream of a call; resolves at its end with the fields for the next request. */
export async function openStream(
  noun: StreamNoun,
  call: StreamedCall,
  parts: StreamParts,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { log, pending, tell } = parts;
  const gateway = gatewayOf(noun, call, parts);
  call.streams.push(gateway);
  const stop = () => gateway.stop();
  signal.addEventListener('abort', stop, { once: true });
  await pending.during(gateway.settled);
  if (gateway.isOpen) tell('stream-started', gateway.streamSid, '');
  const end = await gateway.ended;
  signal.removeEventListener('abort', stop);
  if (end.by === 'error') {
    log.complain(end.code, end.text);
    tell('stream-error', gateway.streamSid, String(end.code));
  } else tell('stream-stopped', gateway.streamSid, '');
  return { StreamSid: gateway.streamSid };
}

function gatewayOf(noun: StreamNoun, call: StreamedCall, parts: StreamParts): Gateway {
  const { dialect, pacingTimer, reach, log } = parts;
  const { callSid, accountSid, person, from, to } = call;
  const { parameters } = noun;
  const url = reach(noun.url);
  if (dialect.name === 'telnyx') {
    const named = { callControlId: callSid, callSessionId: callSid, from, to, clientState: null, parameters };
    return new TelnyxGateway(url, named, {
      pacingTimer,
      person,
      onFault: (text) => log.complain(100_003, text),
    });
  }
  const request = { url, headers: headersOf(noun, parts), parameters, callSid, accountSid };
  return new MediaGateway(request, { dialect, pacingTimer, person });
}

function headersOf(noun: StreamNoun, { dialect, signingKey }: StreamParts): Record<string, string> {
  return {
    ...(dialect.signsUpgrade
      ? dialect.signed({ signingKey, url: noun.url, form: new URLSearchParams(), body: '', at: 0 })
      : {}),
    ...(noun.authBearerToken ? { authorization: `Bearer ${noun.authBearerToken}` } : {}),
  };
}
