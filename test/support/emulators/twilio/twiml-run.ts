import type { Verb } from './twiml.js';

/** What a document can do with its call. */
export interface RunningCall {
  /** Answers an inbound call. */
  answer(): void;
  reject(reason: 'busy' | 'rejected'): void;
  hangUp(): void;
  say(text: string, signal: AbortSignal): Promise<void>;
  pause(lengthSeconds: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the stream has ended and the call continues. */
  stream(stream: Extract<Verb, { kind: 'connect' }>['stream'], signal: AbortSignal): Promise<Form>;
  /** Resolves when the second leg has ended and the call continues. */
  dial(verb: Extract<Verb, { kind: 'dial' }>, signal: AbortSignal): Promise<Form>;
  /** Fetches the document at a URL. */
  fetch(url: string, method: 'GET' | 'POST', form: Form): Promise<readonly Verb[]>;
}

/** The fields that a verb adds to the request for the next document. */
export type Form = Readonly<Record<string, string>>;

/** Executes a document and the following ones until the call ends or `signal` aborts. */
export async function runTwiml(
  verbs: readonly Verb[],
  call: RunningCall,
  signal: AbortSignal,
): Promise<void> {
  for (const verb of verbs) {
    if (verb.kind === 'reject') return call.reject(verb.reason);
    if (verb.kind === 'hangup') return call.hangUp();
    call.answer();
    const next = await perform(verb, call, signal);
    if (signal.aborted) return undefined;
    if (next) return runTwiml(next, call, signal);
  }
  return call.hangUp();
}

/** Executes a verb; returns the document to continue with instead of the remaining verbs, or null. */
async function perform(
  verb: Exclude<Verb, { kind: 'reject' | 'hangup' }>,
  call: RunningCall,
  signal: AbortSignal,
): Promise<readonly Verb[] | null> {
  switch (verb.kind) {
    case 'say':
      await call.say(verb.text, signal);
      return null;
    case 'pause':
      await call.pause(verb.lengthSeconds, signal);
      return null;
    case 'redirect':
      return call.fetch(verb.url, 'POST', {});
    case 'connect': {
      const ended = await call.stream(verb.stream, signal);
      return verb.action && !signal.aborted ? call.fetch(verb.action, verb.method, ended) : null;
    }
    case 'dial': {
      const ended = await call.dial(verb, signal);
      return verb.action && !signal.aborted ? call.fetch(verb.action, 'POST', ended) : null;
    }
  }
}
