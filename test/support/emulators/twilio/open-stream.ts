import type { Wheel } from '../../../../src/media/wheel.js';
import type { EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { Person } from '../person.js';
import type { Dialect } from './dialect.js';
import { MediaGateway } from './media-gateway.js';
import { signatureOf } from './signature.js';
import type { StreamNoun } from './twiml.js';

export interface StreamParts {
  dialect: Dialect;
  wheel: Wheel;
  signingKey: string;
  log: EmulatorLog;
  pending: PendingWork;
  reach: (url: string) => string;
  tell(event: 'stream-started' | 'stream-stopped' | 'stream-error', streamSid: string, error: string): void;
}

export interface StreamedCall {
  callSid: string;
  accountSid: string;
  person: Person;
  streams: MediaGateway[];
}

/** Opens a stream of a call, and resolves when it has ended with what the next request says of it. */
export async function openStream(
  noun: StreamNoun,
  { callSid, accountSid, person, streams }: StreamedCall,
  parts: StreamParts,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { dialect, wheel, log, pending, tell } = parts;
  const { parameters } = noun;
  const gateway = new MediaGateway(
    { url: parts.reach(noun.url), headers: headersOf(noun, parts), parameters, callSid, accountSid },
    { dialect, wheel, person },
  );
  streams.push(gateway);
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

function headersOf(noun: StreamNoun, { dialect, signingKey }: StreamParts): Record<string, string> {
  return {
    ...(dialect.signsUpgrade
      ? { [dialect.signatureHeader]: signatureOf(signingKey, noun.url, new URLSearchParams()) }
      : {}),
    ...(noun.authBearerToken ? { authorization: `Bearer ${noun.authBearerToken}` } : {}),
  };
}
