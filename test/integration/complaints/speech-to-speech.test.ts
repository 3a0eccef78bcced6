import { describe, expect, it } from 'vitest';
import { RealtimeDialogue } from '#dialogue/realtime-dialogue.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Realtime, RealtimeSession } from '#speech/realtime.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createScriptedRealtime } from '#test/support/scripted-realtime.js';
import { startTalk } from '#test/support/scripted-talk.js';
import { speaking } from '#test/support/call-languages.js';
import { toneMs } from '#test/support/scripted-tts.js';

/**
 * What users of speech-to-speech models complain about: the place where a turn was cut is told wrongly, the service
 * refuses it, and from then on the model remembers what was never heard. Tried on our conversation and on a naive one,
 * which takes the time since the first sound came for what was heard.
 */
const GREETING = 'Good morning, this is the clinic.';
/** From before the first sound to well behind the last. */
const MOMENTS_MS = Array.from({ length: 28 }, (_, at) => at * 80);

/** A model that checks where its turns are cut, as services do. */
function checkedRealtime(): { realtime: Realtime; cuts: number[]; refusals: string[] } {
  const scripted = createScriptedRealtime();
  const cuts: number[] = [];
  const refusals: string[] = [];
  const realtime: Realtime = {
    ...scripted,
    async open(brief, onEvent) {
      let toldMs = 0;
      const session = await scripted.open(brief, (event) => {
        if (event.kind === 'audio') toldMs += (1_000 * event.samples.length) / brief.sampleRateHz;
        onEvent(event);
      });
      return checkedSession(session, (heardMs) => {
        cuts.push(heardMs);
        if (!Number.isInteger(heardMs) || heardMs < 0) refusals.push(`${heardMs} is no time`);
        if (heardMs > toldMs) refusals.push(`${heardMs} is beyond the ${toldMs} ms of the turn`);
      });
    },
  };
  return { realtime, cuts, refusals };
}

function checkedSession(session: RealtimeSession, check: (heardMs: number) => void): RealtimeSession {
  return {
    push: (samples) => session.push(samples),
    toolResult: (id, text) => session.toolResult(id, text),
    say: (text) => session.say(text),
    type: (text) => session.type(text),
    close: () => session.close(),
    interrupt(heardMs) {
      check(heardMs);
      session.interrupt(heardMs);
    },
  };
}

/** The caller begins to speak after so long. */
async function ours(afterMs: number): Promise<{ cuts: number[]; refusals: string[] }> {
  const { realtime, cuts, refusals } = checkedRealtime();
  const dialogue = new RealtimeDialogue({
    instructions: 'You are the receptionist.',
    initialMessage: GREETING,
    memory: new TalkMemory({}),
    toolbox: { offered: [], transferTo: null, run: () => expect.unreachable() },
    control: { forbidsCalls: () => false, say: (sentence) => sentence },
    observer: { onTool: () => {} },
    clock: { wallMs: () => 0, monotonicMs: () => 0 },
  });
  const talk = startTalk({
    script: [],
    realtime: { realtime, voice: null, language: speaking('en-US'), dialogue },
  });
  await talk.wait(afterMs);
  await talk.speak(600);
  talk.conversation.stop();
  await talk.wait(200);
  return { cuts, refusals };
}

/** As one might write it in an afternoon: it plays what comes, and asks the clock how much of it was heard. */
class NaivePlayer {
  readonly #clock: Clock;
  readonly #session: RealtimeSession;
  #sinceMs: number | undefined;

  constructor(session: RealtimeSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  played(): void {
    this.#sinceMs ??= this.#clock.monotonicMs();
  }

  callerSpeaks(): void {
    this.#session.interrupt(this.#clock.monotonicMs() - this.#sinceMs!);
  }
}

async function naively(afterMs: number): Promise<{ cuts: number[]; refusals: string[] }> {
  const clock = new FakeClock();
  const { realtime, cuts, refusals } = checkedRealtime();
  const brief = { instructions: '', voice: null, language: 'en-US', sampleRateHz: 8000 as const, tools: [] };
  const session = await realtime.open(brief, () => {});
  const player = new NaivePlayer(session, clock);
  session.say(GREETING);
  // The first sound is played a frame later.
  clock.after(20, () => player.played());
  await clock.advance(afterMs);
  player.callerSpeaks();
  return { cuts, refusals };
}

describe('complaint 12: the place of a cut is nothing, no number, or beyond the sound (livekit/agents#6157)', () => {
  it('does not happen, whenever the caller speaks', async () => {
    let cuts = 0;
    for (const afterMs of MOMENTS_MS) {
      const told = await ours(afterMs);
      expect(told.refusals, `after ${afterMs} ms`).toEqual([]);
      cuts += told.cuts.length;
    }
    // Who speaks when everything was said cuts nothing.
    expect(cuts).toBeGreaterThan(10);
    expect(cuts).toBeLessThan(MOMENTS_MS.length);
  });

  it('happens to the naive player before the first sound, and behind the last', async () => {
    const refused: number[] = [];
    for (const afterMs of MOMENTS_MS) if ((await naively(afterMs)).refusals.length > 0) refused.push(afterMs);
    expect(refused).toEqual(MOMENTS_MS.filter((ms) => ms < 20 || ms - 20 > toneMs(GREETING)));
  });
});
