import { describe, expect, it } from 'vitest';
import type { Realtime, RealtimeEvent, RealtimeSession } from '#speech/realtime.js';
import { pushFrames } from '#test/support/telephone-line.js';

export interface RealtimeCase {
  realtime: Realtime;
  /** Audio at 8 kHz that is recognised as these words, including trailing silence; the model answers with words. */
  utterance(text: string): Promise<Int16Array>;
  /** The same, answered with a call of the tool `look_up`. */
  toolUtterance(text: string): Promise<Int16Array>;
  /** Lets time pass until everything requested has arrived. */
  settle(): Promise<void>;
}

interface OpenCase extends RealtimeCase {
  session: RealtimeSession;
  events: RealtimeEvent[];
}

/** The contract of every {@link Realtime}. */
export function realtimeContract(name: string, open: () => Promise<RealtimeCase>): void {
  const openSession = async (): Promise<OpenCase> => {
    const one = await open();
    const events: RealtimeEvent[] = [];
    const brief = {
      instructions: 'You are the receptionist.',
      voice: null,
      language: 'en-US',
      sampleRateHz: 8000 as const,
      tools: [{ name: 'look_up', description: 'Looks up', parameters: { type: 'object', properties: {} } }],
    };
    const session = await one.realtime.open(brief, (event) => events.push(event));
    return { ...one, session, events };
  };

  describe(`${name} as speech to speech`, () => {
    it('says what it is asked to say, in sound and in words, as one turn', async () => {
      const { session, events, settle } = await openSession();
      session.say('Good morning.');
      await settle();
      expect(textOf(events)).toBe('Good morning.');
      expect(samplesOf(events)).toBeGreaterThan(0);
      expect(kindsOf(events).filter((kind) => kind === 'turn_done')).toEqual(['turn_done']);
      expect(events.at(-1)?.kind).toBe('turn_done');
    });

    it('tells what the caller said, and answers it', async () => {
      const { session, events, utterance, settle } = await openSession();
      pushFrames(session, await utterance('hello there'));
      await settle();
      const heard = events.flatMap((event) =>
        event.kind === 'caller_text' && event.isFinal ? [event.transcript] : [],
      );
      expect(heard.map(({ text }) => text)).toEqual(['hello there']);
      expect(heard[0]!.confidence).toBeGreaterThan(0);
      expect(heard[0]!.confidence).toBeLessThanOrEqual(1);
      expect(samplesOf(events)).toBeGreaterThan(0);
    });

    it('calls a tool, and goes on when it has the result', async () => {
      const { session, events, toolUtterance, settle } = await openSession();
      pushFrames(session, await toolUtterance('what is free'));
      await settle();
      const calls = events.flatMap((event) => (event.kind === 'tool_call' ? [event] : []));
      expect(calls.map(({ name: tool }) => tool)).toEqual(['look_up']);
      expect(() => JSON.parse(calls[0]!.arguments) as unknown).not.toThrow();
      const before = samplesOf(events);
      session.toolResult(calls[0]!.id, 'nine');
      await settle();
      expect(samplesOf(events)).toBeGreaterThan(before);
    });

    it('tells nothing more of a turn that was cut', async () => {
      const { session, events, settle } = await openSession();
      session.say('This is a long sentence that nobody hears to its end.');
      session.interrupt(0);
      const told = events.length;
      await settle();
      expect(kindsOf(events.slice(told)).filter((kind) => kind === 'audio' || kind === 'agent_text')).toEqual(
        [],
      );
    });

    it('tells nothing after it was closed, and closing twice is harmless', async () => {
      const { session, events, utterance, settle } = await openSession();
      session.close();
      session.close();
      const told = events.length;
      pushFrames(session, await utterance('hello there'));
      session.say('Hello?');
      session.type('1');
      session.interrupt(0);
      session.toolResult('none', '');
      await settle();
      expect(events.slice(told)).toEqual([]);
    });
  });
}

function kindsOf(events: readonly RealtimeEvent[]): string[] {
  return events.map(({ kind }) => kind);
}

function textOf(events: readonly RealtimeEvent[]): string {
  return events
    .flatMap((event) => (event.kind === 'agent_text' ? [event.text] : []))
    .join('')
    .trim();
}

function samplesOf(events: readonly RealtimeEvent[]): number {
  return events.reduce((sum, event) => sum + (event.kind === 'audio' ? event.samples.length : 0), 0);
}
