import { beforeAll, describe, expect, it } from 'vitest';
import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import type {
  LanguageModel,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ModelToolCall,
} from '#dialogue/llm/language-model.js';
import type { Toolbox } from '#dialogue/tools/toolbox.js';
import { sleep, type Clock } from '#kernel/time/clock.js';
import type { Tts } from '#speech/tts.js';
import { callOf, createScriptedModel, finish, text } from '#test/support/answering-model.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { startModelTalk } from '#test/support/model-talks.js';
import { isOver, startTalk } from '#test/support/scripted-talk.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';

/**
 * What users of such services complain about where a caller speaks while a model's turn goes on: tools that run twice,
 * requests that no model takes any more, words in the history that were never heard. Each complaint is tried on our
 * dialogue manager and on a naive one, which keeps what the model sends as it comes and knows of no interruption.
 */
/** Short, so that every millisecond of a turn can be tried. */
const MODEL_MS = 12;
const TOOL_MS = 25;
const SETTINGS = { temperature: null, maxOutputTokens: null, reasoningEffort: null };
const OFFERED = { name: 'book', description: 'Books a visit.', parameters: { type: 'object' } };

/** As one might write it in an afternoon. */
class NaiveDialogue implements DialogueManager {
  readonly #model: LanguageModel;
  readonly #toolbox: Toolbox;
  readonly messages: ModelMessage[] = [];

  constructor(model: LanguageModel, toolbox: Toolbox) {
    this.#model = model;
    this.#toolbox = toolbox;
  }

  async *turn(input: TurnInput, signal: AbortSignal): AsyncGenerator<DialogueOutput> {
    if (input.kind === 'heard') this.messages.push({ role: 'user', text: input.transcript.text });
    while (input.kind === 'heard' && !signal.aborted) {
      const message = { role: 'assistant' as const, text: '', toolCalls: [] as ModelToolCall[] };
      const request = {
        system: '',
        messages: [...this.messages],
        tools: this.#toolbox.offered,
        settings: SETTINGS,
      };
      this.messages.push(message);
      for await (const part of this.#model.stream(request, signal)) {
        if (part.type === 'tool_call') message.toolCalls.push(part.call);
        if (part.type !== 'text') continue;
        message.text += part.text;
        yield { kind: 'text_delta', text: part.text, interruptible: true };
      }
      if (message.toolCalls.length === 0) break;
      const results = await Promise.all(
        message.toolCalls.map(async (call) => {
          const { text: result } = await this.#toolbox.run(call).done;
          return { id: call.id, name: call.name, text: result };
        }),
      );
      // Whoever is interrupted has no use for it any more.
      if (!signal.aborted) this.messages.push({ role: 'tool', results });
    }
    yield { kind: 'listen', hints: { kind: 'anything' } };
  }

  note(): void {}

  outcome() {
    return { intent: null, resolutionAchieved: null, answers: {}, said: {}, inOwnWords: [], summary: null };
  }
}

/** A dialogue that talks with a model, and what both have done. */
interface Subject {
  dialogue: DialogueManager;
  clock: FakeClock;
  requests: readonly ModelRequest[];
  /** What is wrong with requests, where the model looks. */
  refusals: readonly unknown[];
  runs: string[];
}

/** Books until it knows that it has. */
function booking({ messages }: ModelRequest, index: number): readonly (ModelPart | number)[] {
  const isDone = messages.some((message) => message.role === 'tool');
  return [MODEL_MS, ...(isDone ? [text('It is booked.')] : [callOf('book', {}, `call_${index}`)]), finish];
}

function slowTool(clock: Clock): { toolbox: Toolbox; runs: string[] } {
  const runs: string[] = [];
  const toolbox: Toolbox = {
    offered: [OFFERED],
    transferTo: null,
    run(call) {
      runs.push(call.id);
      const done = sleep(clock, TOOL_MS).then(() => ({ status: 'ok' as const, text: 'booked' }));
      return { call, sayWhile: [], done };
    },
  };
  return { toolbox, runs };
}

function ours(): Subject {
  const clock = new FakeClock();
  const { toolbox, runs } = slowTool(clock);
  const { dialogue, model } = startModelTalk({ clock, toolbox, answer: booking });
  return { dialogue, clock, requests: model.requests, refusals: model.complaints, runs };
}

/** @param looks whether the model checks its requests, as those of the large vendors do */
function naive(looks: boolean): Subject {
  const clock = new FakeClock();
  const { toolbox, runs } = slowTool(clock);
  const strict = createScriptedModel(booking, { clock });
  const requests: ModelRequest[] = [];
  const lenient: LanguageModel = {
    provider: 'lenient',
    model: 'm',
    async *stream(request, signal) {
      requests.push(request);
      for (const step of booking(request, requests.length - 1))
        if (typeof step === 'number') await sleep(clock, step, signal);
        else if (!signal.aborted) yield step;
    },
  };
  const dialogue = new NaiveDialogue(looks ? strict : lenient, toolbox);
  return { dialogue, clock, requests: looks ? strict.requests : requests, refusals: strict.complaints, runs };
}

/** The caller asks for a visit, interrupts after a while, and asks what is going on. */
async function interruptedAfter(afterMs: number, { dialogue, clock }: Subject): Promise<void> {
  const take = async (input: TurnInput, signal = new AbortController().signal) => {
    const outputs: DialogueOutput[] = [];
    for await (const output of dialogue.turn(input, signal)) outputs.push(output);
    return outputs;
  };
  const heard = (words: string): TurnInput => {
    return { kind: 'heard', transcript: { text: words, confidence: 0.9 } };
  };
  await take({ kind: 'opening' });
  const cut = new AbortController();
  const first = take(heard('book me in on Tuesday'), cut.signal);
  await clock.advance(afterMs);
  cut.abort();
  dialogue.note({ kind: 'interrupted', heard: '' });
  const second = take(heard('are you still with me')).catch(() => []);
  await clock.advance(3 * MODEL_MS + 3 * TOOL_MS);
  await Promise.all([first, second]);
}

/** Each millisecond before, while and after a tool runs. */
const MOMENTS = Array.from({ length: 2 * MODEL_MS + TOOL_MS }, (_, ms) => ms);
/** Those at which the tool runs. */
const WHILE_IT_RUNS = MOMENTS.slice(MODEL_MS, MODEL_MS + TOOL_MS);

describe('a caller who speaks while a tool runs', () => {
  const talks = new Map<number, Subject>();
  beforeAll(async () => {
    for (const ms of MOMENTS) {
      const subject = ours();
      await interruptedAfter(ms, subject);
      talks.set(ms, subject);
    }
  });

  it('complaint 1: does not have it done twice; its result is in the history (livekit/agents#3702)', () => {
    for (const [ms, { runs, requests }] of talks) {
      expect(runs, `after ${ms} ms`).toHaveLength(1);
      const results = requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
      expect(results, `after ${ms} ms`).toMatchObject([{ results: [{ text: 'booked' }] }]);
    }
  });

  it('complaint 1: has it done twice by the naive dialogue', async () => {
    for (const ms of WHILE_IT_RUNS) {
      const subject = naive(false);
      await interruptedAfter(ms, subject);
      expect(subject.runs, `after ${ms} ms`).toHaveLength(2);
    }
  });

  it('complaint 2: makes no request that is refused (livekit/agents#1976, #5092, #995)', () => {
    for (const [ms, { refusals }] of talks) expect(refusals, `after ${ms} ms`).toEqual([]);
  });

  it('complaint 2: makes the naive dialogue mute: a call without its result is refused', async () => {
    for (const ms of WHILE_IT_RUNS) {
      const subject = naive(true);
      await interruptedAfter(ms, subject);
      expect(subject.refusals, `after ${ms} ms`).toHaveLength(1);
    }
  });
});

describe('complaint 5: words that were never spoken are in the history (pipecat#5305, livekit/agents#2201)', () => {
  const ANSWER = 'We are open on Monday, on Tuesday, on Wednesday, and on Friday.';
  const answers = (_: ModelRequest, index: number) => (index === 0 ? ANSWER : 'All right.');
  const NO_TOOLS: Toolbox = { offered: [], transferTo: null, run: () => expect.unreachable() };

  /** A voice that says no more after two seconds, and tells nothing of it. */
  function dyingVoice(clock: Clock): Tts {
    const whole = createScriptedTts();
    let pieces = 0;
    return {
      ...whole,
      async *speak(request) {
        for await (const piece of whole.speak(request)) {
          if (++pieces > 20) await sleep(clock, 60_000, request.signal);
          if (request.signal?.aborted) return;
          yield piece;
        }
      },
    };
  }

  /** The caller asks, hears a part of the answer, and asks on: what the model is told then, and what was heard. */
  async function cutShort(dialogue: DialogueManager, requests: readonly ModelRequest[], clock: FakeClock) {
    const utterances = ['when are you open', 'hello are you there'];
    const talk = startTalk({
      script: [],
      utterances,
      agent: { dialogue, tts: dyingVoice(clock) },
      clock,
    });
    await talk.waitUntil(() => talk.states.at(-1) === 'listening');
    await talk.speak(800);
    await talk.waitUntil(() => talk.states.at(-1) === 'speaking');
    await talk.wait(3_000);
    await talk.speak(1_500);
    await talk.waitUntil(() => requests.length === 2);
    const told = requests[1]!.messages.findLast(({ role }) => role === 'assistant');
    const entry = talk.entries.findLast(({ speaker }) => speaker === 'agent');
    talk.conversation.stop();
    await talk.waitUntil(isOver(talk));
    return { told: told && 'text' in told ? told.text : '', heard: entry?.text ?? '' };
  }

  it('does not happen: the model is told what the transcript holds, which is what was heard', async () => {
    const { dialogue, model, clock } = startModelTalk({ answer: answers, initialMessage: 'Hello.' });
    const { told, heard } = await cutShort(dialogue, model.requests, clock);
    expect(told).toBe(heard);
    expect(ANSWER.startsWith(heard)).toBe(true);
    expect(heard).toMatch(/^We are open/);
    expect(heard).not.toMatch(/Friday/);
  });

  it('happens to the naive dialogue', async () => {
    const clock = new FakeClock();
    const model = createScriptedModel(answers, { clock });
    const { told, heard } = await cutShort(new NaiveDialogue(model, NO_TOOLS), model.requests, clock);
    expect(told).toBe(ANSWER);
    expect(heard).not.toMatch(/Friday/);
  });
});
