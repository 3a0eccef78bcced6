import { speaking } from '#test/support/call-languages.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { startConversation } from '#conversation/start-conversation.js';
import type { TurnSettings } from '#conversation/talk/turn-settings.js';
import { sleep, type Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { VoiceActivity } from '#media/detecting/voice-activity.js';
import type { RecognitionHints } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import { dialogueOf } from '../test/support/dialogue-of.js';
import type { DialogueManager, DialogueOutput } from '#dialogue/dialogue-manager.js';
import { FakeClock, settle } from '../test/support/fake-clock.js';
import { createMemoryLog } from '../test/support/memory-log.js';
import type { SteadyHearing } from './turns-hearing.js';
import { FRAME, lineFrame, RATE_HZ, type Noise } from './turns-sounds.js';

/** How the agent speaks: syllables with gaps between words, at the level of a voice. */
const WORD_MS = 320;
const GAP_MS = 60;

/** The line is open for so long before the agent begins: noise from before a call is not what is tried here. */
const BEFORE_MS = 3_000;

/** One simulated conversation: the agent says a sentence, and somebody is heard. */
export interface Scene {
  /** How long the agent's sentence is. */
  sentenceMs: number;
  expectation: RecognitionHints;
  /** What is heard from the caller, and how long after the agent began to speak or to listen. */
  sound: Int16Array;
  cue: 'speaks' | 'listens';
  afterMs: number;
  noise: Noise | null;
  /** How long the talk is followed after the caller's sound. */
  followMs: number;
}

/** What happened, in milliseconds of the line's time. */
export interface Story {
  /** From when to when the caller's sound was on the line. */
  soundFromMs: number;
  soundToMs: number;
  /** When the agent's sentence was cut; null when it was spoken to its end. */
  cutAtMs: number | null;
  /** The agent's frames: true where it sounds. */
  loud: boolean[];
  /** When the agent was asked for an answer, and for what words. */
  asked: { atMs: number; words: string }[];
  /** When the agent's answers began to sound. */
  answeredMs: number[];
}

/** What all conversations share. */
export interface TalkParts {
  stt: SteadyHearing;
  voiceActivity: VoiceActivity;
}

/** Plays a scene under some settings. Time passes by frames, and only when everything heard is understood. */
export async function play(scene: Scene, turns: TurnSettings, parts: TalkParts): Promise<Story> {
  const clock = new FakeClock();
  const loud: boolean[] = [];
  const story: Story = { soundFromMs: 0, soundToMs: 0, cutAtMs: null, loud, asked: [], answeredMs: [] };
  const nowMs = () => loud.length * FRAME_MS;
  let state = '';
  const conversation = startConversation(
    {
      agent: {
        dialogue: answering(scene, clock, (words) => void story.asked.push({ atMs: nowMs(), words })),
        stt: parts.stt,
        tts: humming(scene),
        voice: null,
        language: speaking('en-US'),
      },
      line: {
        sampleRateHz: RATE_HZ,
        send: (frame) => void loud.push(frame[8] !== 0),
        clear: () => true,
      },
      limits: { silenceTimeoutSeconds: 60, idlePromptSeconds: 30, maxIdlePrompts: 1 },
      observer: {
        onState(now) {
          state = now;
          if (now === 'speaking' && story.asked.length > 0) story.answeredMs.push(nowMs());
        },
        onPartial: () => {},
        onEntry: () => {},
        onTurn: () => {},
        onInterrupted: () => void (story.cutAtMs ??= nowMs()),
      },
    },
    {
      clock,
      ...createMemoryLog(),
      voiceActivity: parts.voiceActivity,
      turns,
      recorder: null,
      pacingTimer: { join: () => () => {} },
    } satisfies ConversationParts,
  );

  const soundFrames = Math.ceil(scene.sound.length / FRAME);
  const cueState = scene.cue === 'speaks' ? 'speaking' : 'listening';
  let cuedAt = -1;
  for (let frame = 0; cuedAt < 0 || frame * FRAME_MS < endOf(scene, cuedAt); frame += 1) {
    if (cuedAt < 0 && state === cueState) cuedAt = frame + scene.afterMs / FRAME_MS;
    const at = cuedAt < 0 ? -1 : frame - cuedAt;
    const isHeard = at >= 0 && at < soundFrames;
    if (at === 0) story.soundFromMs = nowMs();
    if (at === soundFrames) story.soundToMs = nowMs();
    await clock.advance(FRAME_MS);
    // Before the cue is known, noise goes its own way; from then on it is the same under the same sound.
    conversation.hear(lineFrame(isHeard ? scene.sound : null, at, scene.noise, cuedAt < 0 ? frame : at));
    await settle();
    await parts.stt.settled();
    await settle();
  }
  conversation.stop();
  await conversation.ended;
  return story;
}

function endOf(scene: Scene, cuedAt: number): number {
  return cuedAt * FRAME_MS + (scene.sound.length * 1000) / RATE_HZ + scene.followMs;
}

/** An agent that waits a moment, says one sentence, and has one answer to everything. */
function answering(scene: Scene, clock: Clock, onAsked: (words: string) => void): DialogueManager {
  const listen: DialogueOutput = { kind: 'listen', hints: scene.expectation };
  const say = (text: string): DialogueOutput => ({ kind: 'say', text, interruptible: true });
  return dialogueOf({
    async *opening() {
      await sleep(clock, BEFORE_MS);
      yield say(SENTENCE);
      yield listen;
    },
    async *heard({ text }) {
      onAsked(text);
      yield say(ANSWER);
      yield listen;
    },
    async *silence() {
      yield listen;
    },
  });
}

const SENTENCE = 'This is the sentence that somebody speaks over.';
const ANSWER = 'Thank you very much.';

function humming(scene: Scene): Tts {
  return {
    name: 'humming',
    voices: ['hum'],
    async *speak({ text }) {
      yield hum(text === SENTENCE ? scene.sentenceMs : 800);
    },
    close: async () => {},
  };
}

function hum(forMs: number): Int16Array {
  return Int16Array.from({ length: (forMs * RATE_HZ) / 1000 }, (_, index) => {
    const atMs = (index * 1000) / RATE_HZ;
    return atMs % (WORD_MS + GAP_MS) < WORD_MS ? Math.round(5_000 * Math.cos(index / 3)) + 1 : 1;
  });
}
