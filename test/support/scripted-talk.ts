import { speaking as speakingIn } from '#test/support/call-languages.js';
import { expect } from 'vitest';
import type {
  AgentPorts,
  Conversation,
  ConversationOptions,
  ConversationResult,
  Entry,
  RealtimePorts,
  TurnTiming,
} from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { startConversation } from '#conversation/start-conversation.js';
import { sleep } from '#kernel/time/clock.js';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createPacingTimer, type PacingTimer } from '#media/pacing/pacing-timer.js';
import type { Transcript } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { VoicemailHandling } from '#dialogue/voicemail-handling.js';
import { createAskedDialogue, listen, type Script } from './asked-dialogue.js';
import { FakeClock, settle } from './fake-clock.js';
import { createMemoryLog } from './memory-log.js';
import { pinkNoise } from './noise.js';
import { createScriptedStt, type ScriptedStt } from './scripted-stt.js';
import { createScriptedLine, type ScriptedLine } from './scripted-line.js';
import { loudIsVoice } from './loud-is-voice.js';
import { createScriptedTts, type ScriptedTts } from './scripted-tts.js';

/** Short forms of the agent's outputs. */
export const say = (text: string, interruptible = true): DialogueOutput => ({
  kind: 'say',
  text,
  interruptible,
});
export { listen };
export const end: DialogueOutput = { kind: 'end' };

export interface TalkOptions {
  script: Script;
  utterances?: (string | Transcript | Error)[];
  limits?: Partial<ConversationOptions['limits']>;
  sampleRateHz?: SampleRateHz;
  /** True if the peer has a playout buffer. */
  isBuffered?: boolean;
  isOutbound?: boolean;
  voicemail?: VoicemailHandling;
  transfer?: ConversationOptions['transfer'];
  joining?: ConversationOptions['joining'];
  parts?: Partial<ConversationParts>;
  agent?: Partial<AgentPorts>;
  /** The clock, if other parts of the agent share it. */
  clock?: FakeClock;
  /** Replaces the scripted agent. */
  realtime?: RealtimePorts;
}

/** A conversation in which the test is the caller, and time passes only while the caller speaks or waits. */
export interface Talk {
  readonly conversation: Conversation;
  readonly clock: FakeClock;
  readonly pacingTimer: PacingTimer;
  readonly line: ScriptedLine;
  readonly hearing: ScriptedStt;
  readonly speaking: ScriptedTts;
  /** What the dialogue manager was asked, such as `reply: yes` or `last reply: yes`, and turns taken back. */
  readonly asked: readonly string[];
  /** Words of the caller that no turn answers. */
  readonly overheard: readonly string[];
  /** What was heard of interrupted turns. */
  readonly cut: readonly string[];
  /** The delay of each output after the first turn. */
  readonly hold: { thoughtMs: number };
  readonly entries: readonly Entry[];
  readonly turns: readonly TurnTiming[];
  readonly states: readonly string[];
  readonly partials: readonly string[];
  readonly interruptions: { count: number };
  /** Both tracks as recorded. */
  readonly recorded: { customer: Int16Array[]; agent: Int16Array[] };
  readonly result: () => ConversationResult | null;
  /** The caller speaks, or is silent, for a while: one frame each 20 ms. */
  speak(forMs: number): Promise<void>;
  /** The caller makes a loud sound without voice, such as a cough. */
  rustle(forMs: number): Promise<void>;
  wait(forMs: number): Promise<void>;
  /** No audio arrives for a while. */
  stall(forMs: number): Promise<void>;
  /** Waits in silence until the condition is true; false after a minute. */
  waitUntil(isTrue: () => boolean): Promise<boolean>;
}

export function startTalk(options: TalkOptions): Talk {
  const sampleRateHz = options.sampleRateHz ?? 8000;
  const clock = options.clock ?? new FakeClock();
  const { log } = createMemoryLog();
  const pacingTimer = createPacingTimer({ clock, log });
  const line = createScriptedLine(sampleRateHz, options.isBuffered ? { pieceMs: 200 } : null);
  const hearing = createScriptedStt(...(options.utterances ?? []));
  const speaking = createScriptedTts();
  const asked: string[] = [];
  const cut: string[] = [];
  const overheard: string[] = [];
  const hold = { thoughtMs: 0 };
  const told = observe();
  const recorded: Talk['recorded'] = { customer: [], agent: [] };
  const think = async () => {
    if (hold.thoughtMs > 0) await sleep(clock, hold.thoughtMs);
  };
  const dialogue = createAskedDialogue(options.script, { asked, cut, overheard, think });
  const parts: ConversationParts = {
    clock,
    log,
    pacingTimer,
    voiceActivity: loudIsVoice,
    recorder: {
      write(customer, agent) {
        recorded.customer.push(customer?.slice() ?? new Int16Array(agent.length));
        recorded.agent.push(agent.slice());
      },
      insertLate: (fromSample, customer) => {
        recorded.customer[fromSample / customer.length]!.set(customer);
      },
      stalled: () => {},
      retract: (lastMs) => {
        if (lastMs > 0)
          recorded.agent.slice(-Math.round(lastMs / FRAME_MS)).forEach((frame) => frame.fill(0));
      },
    },
    ...options.parts,
  };
  const limits = { silenceTimeoutSeconds: 30, idlePromptSeconds: 10, maxIdlePrompts: 2, ...options.limits };
  const conversation = startConversation(
    {
      agent: options.realtime ?? {
        dialogue,
        stt: hearing,
        tts: speaking,
        voice: null,
        language: speakingIn('en-US'),
        ...options.agent,
      },
      line,
      limits,
      isOutbound: options.isOutbound ?? false,
      ...(options.transfer ? { transfer: options.transfer } : {}),
      ...(options.joining ? { joining: options.joining } : {}),
      ...(options.voicemail ? { voicemail: options.voicemail } : {}),
      observer: told.observer,
    },
    parts,
  );
  const state: { result: ConversationResult | null } = { result: null };
  void conversation.ended.then((result) => (state.result = result));
  const step = async (frame: Int16Array | null) => {
    await clock.advance(FRAME_MS);
    if (frame) conversation.hear(frame);
    await settle();
  };
  const loud = new Int16Array(frameSamples(sampleRateHz)).map((_, index) => (index % 20 < 10 ? 6000 : -6000));
  const rustling = pinkNoise({ samples: 50 * loud.length, levelDb: -10 });
  const quiet = new Int16Array(frameSamples(sampleRateHz));
  const frames = async (frame: Int16Array | null, forMs: number) => {
    for (let passedMs = 0; passedMs < forMs && !state.result; passedMs += FRAME_MS) await step(frame);
  };
  return {
    conversation,
    clock,
    pacingTimer,
    line,
    hearing,
    speaking,
    asked,
    cut,
    overheard,
    hold,
    recorded,
    ...told,
    result: () => state.result,
    speak: (forMs) => frames(loud, forMs),
    async rustle(forMs) {
      for (let passedMs = 0; passedMs < forMs && !state.result; passedMs += FRAME_MS) {
        const from = ((passedMs / FRAME_MS) % 50) * loud.length;
        await step(rustling.subarray(from, from + loud.length));
      }
    },
    wait: (forMs) => frames(quiet, forMs),
    stall: (forMs) => frames(null, forMs),
    async waitUntil(isTrue) {
      for (let passedMs = 0; passedMs < 60_000 && !isTrue(); passedMs += FRAME_MS) await step(quiet);
      return isTrue();
    },
  };
}

function observe() {
  const entries: Entry[] = [];
  const turns: TurnTiming[] = [];
  const states: string[] = [];
  const partials: string[] = [];
  const interruptions = { count: 0 };
  const observer: ConversationOptions['observer'] = {
    onState: (state) => void states.push(state),
    onPartial: (text) => void partials.push(text),
    onEntry: (entry) => void entries.push(entry),
    onTurn: (timing) => void turns.push(timing),
    onInterrupted: () => void (interruptions.count += 1),
  };
  return { entries, turns, states, partials, interruptions, observer };
}

export const isOver = (talk: Talk) => () => talk.result() !== null;

/** Asserts that nothing is left running after the end. */
export async function expectNothingLeft(talk: Talk) {
  expect(talk.clock.armed).toBe(0);
  expect(talk.pacingTimer.members).toBe(0);
  for (const stream of talk.hearing.streams) expect(stream.closed).toBe(true);
  const entries = talk.entries.length;
  const frames = talk.line.frames.length;
  talk.conversation.hear(new Int16Array(160).fill(9_000));
  talk.conversation.type('anybody?');
  talk.conversation.interrupt();
  talk.conversation.stop();
  await talk.clock.advance(60_000);
  expect([talk.entries.length, talk.line.frames.length]).toEqual([entries, frames]);
}
