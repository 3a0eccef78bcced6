import { expect, it } from 'vitest';
import type { DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import { ModelError, type ModelRequest } from '#dialogue/llm/language-model.js';
import { TalkMemory } from '#dialogue/talk-memory.js';
import { CallToolbox } from '#dialogue/tools/call-toolbox.js';
import { ToolHttpError, type ToolRequest } from '#dialogue/tools/tool-http.js';
import { keptTools } from '#dialogue/tools/tool-definition.js';
import { sleep } from '#kernel/time/clock.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { spokenIn, startModelTalk, type ModelTalk } from '#test/support/model-talks.js';
import { cases } from '#test/support/tier.js';
import { callOf, finish, text, type AnswerStep } from '#test/support/answering-model.js';

const TALKS = cases(150, 2_000);
const MOST_INPUTS = 400;
const DOWN = new ModelError('away', { provider: 'scripted', failure: 'timeout', retryable: true });

const TOOLS = keptTools([
  {
    name: 'find_slot',
    description: 'Free visits on a day',
    parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
    url: 'https://crm.example/slots',
    save: { slot: '$.slot' },
    say_while: ['One moment, please.', 'I am still looking.'],
  },
  { name: 'book', description: 'Books it', url: 'https://crm.example/book', timeout_ms: 20_000 },
  { type: 'transfer', destinations: [{ name: 'desk', to: '+14155550100' }] },
]);

const SAID = [
  'when can I come',
  'on Tuesday please',
  'what does it cost',
  'hold on a second',
  'can I speak to a person please',
  'who is this',
  '',
  'I would like a haircut and then a colour',
  'cut it out with these robot calls',
  'no',
];
const LAST = ['goodbye', 'do not call me again', 'that is all, bye'];

/** A sequence of numbers between 0 and 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const sounding = (words: string) => words.replace(/[^\p{L}\p{N}]/gu, '');

/** One talk of a caller who interrupts, says nothing or hangs up when it occurs to them. */
class RandomTalk {
  readonly #random: () => number;
  readonly #clock = new FakeClock();
  readonly #talk: ModelTalk;
  /** What was heard of the agent, turn by turn; the last is the turn in progress. */
  #heard: string[] = [];
  readonly sent = new Map<string, number>();
  readonly called = new Set<string>();
  #ids = 0;
  #unanswered = '';

  constructor(seed: number) {
    this.#random = chance(seed);
    const memory = new TalkMemory({});
    const toolbox = new CallToolbox(TOOLS, {
      memory,
      clock: this.#clock,
      timeZone: 'UTC',
      isReachable: true,
      callId: `call_${seed}`,
      send: (request) => this.#send(request),
      secrets: () => Promise.resolve({}),
      sign: () => Promise.resolve({}),
      onFailure: (error) => expect.unreachable(String(error)),
    });
    this.#talk = startModelTalk({
      clock: this.#clock,
      memory,
      toolbox,
      answer: (request) => this.#answer(request),
    });
  }

  /** Talks to the end; how many inputs that took. */
  async run(): Promise<number> {
    let input: TurnInput = { kind: 'opening' };
    let prompts = 0;
    for (let inputs = 1; inputs <= MOST_INPUTS; inputs++) {
      const last = await this.#turn(input);
      if (last?.kind === 'end') return inputs;
      if (last?.kind === 'transfer' && this.#random() < 0.5) return inputs;
      prompts = input.kind === 'silence' ? prompts : 0;
      if (last?.kind === 'transfer') input = { kind: 'transfer_failed' };
      else if (last !== null && this.#random() < 0.15) {
        prompts += 1;
        input = prompts > 2 ? { kind: 'goodbye' } : { kind: 'silence', prompts };
      } else input = this.#heardNext();
    }
    return MOST_INPUTS;
  }

  #heardNext(): TurnInput {
    const words = this.#pick(this.#random() < 0.05 ? LAST : SAID);
    const whole = `${this.#unanswered} ${words}`.trim();
    this.#unanswered = '';
    return { kind: 'heard', transcript: { text: whole, confidence: whole === '' ? 0 : 0.9 } };
  }

  /** @returns the last output; null when the caller has spoken before it came */
  async #turn(input: TurnInput): Promise<DialogueOutput | null> {
    const abort = new AbortController();
    const outputs: DialogueOutput[] = [];
    this.#heard.push('');
    const at = this.#heard.length - 1;
    let isOver = false;
    const consume = async () => {
      for await (const output of this.#talk.dialogue.turn(input, abort.signal)) {
        if (abort.signal.aborted) break;
        outputs.push(output);
        this.#heard[at] = spokenIn(outputs);
      }
      isOver = true;
    };
    const consumed = consume();
    const cutAfterMs = this.#random() < 0.4 ? Math.floor(this.#random() * 6_000) : Infinity;
    for (let passedMs = 0; !isOver && passedMs < 120_000;) {
      await settle();
      if (passedMs >= cutAfterMs || isOver) break;
      const stepMs = Math.min(2_000, cutAfterMs - passedMs);
      await this.#clock.advance(stepMs);
      passedMs += stepMs;
    }
    const isCut = !isOver || this.#random() < 0.1;
    if (!isCut || outputs.at(-1)?.kind === 'end') {
      await consumed;
      return outputs.at(-1) ?? null;
    }
    this.#interrupt(at, input, abort);
    return null;
  }

  #interrupt(at: number, input: TurnInput, abort: AbortController): void {
    const words = this.#heard[at]!.split(' ');
    const heard = words.slice(0, Math.floor(this.#random() * (words.length + 1))).join(' ');
    this.#heard[at] = heard;
    this.#talk.dialogue.note({ kind: 'interrupted', heard });
    if (heard === '' && this.#random() < 0.5) {
      this.#talk.dialogue.note({ kind: 'taken_back' });
      this.#unanswered = input.kind === 'heard' ? input.transcript.text : '';
    }
    abort.abort();
  }

  #answer(request: ModelRequest) {
    const assistant = request.messages.flatMap((message) =>
      message.role === 'assistant' ? [message.text] : [],
    );
    expect(sounding(assistant.join(''))).toBe(sounding(this.#heard.join('')));
    for (const message of request.messages)
      if (message.role === 'tool')
        for (const { text: result } of message.results) expect(result).not.toBe('It is still running.');
    return this.#steps(request.tools.length > 0);
  }

  #steps(mayCall: boolean): AnswerStep[] {
    const steps: AnswerStep[] = [];
    if (this.#random() < 0.3) steps.push(Math.floor(this.#random() * 8_000));
    if (this.#random() < 0.05) return [...steps, DOWN];
    if (this.#random() < 0.8)
      steps.push(text('We have '), this.#random() < 0.2 ? 1_000 : 10, text('**Tuesday**, and Friday.'));
    if (this.#random() < 0.05) return this.#random() < 0.5 ? steps : [...steps, DOWN];
    if (mayCall && this.#random() < 0.45) {
      const calls = 1 + Math.floor(this.#random() * 2);
      for (let call = 0; call < calls; call++) steps.push(this.#call());
    }
    return [...steps, finish];
  }

  #call(): AnswerStep {
    const id = `call_${(this.#ids += 1)}`;
    this.called.add(id);
    const [name, args] = this.#pick<[string, unknown]>([
      ['find_slot', { day: 'Tuesday' }],
      ['find_slot', { day: 7 }],
      ['find_slot', '{"day": '],
      ['book', {}],
      ['book', {}],
      ['no_such_tool', {}],
      ['note', { name: 'day', value: 'Tuesday' }],
      ['transfer', {}],
      ['press_keys', { keys: '12w#' }],
      ['end_call', {}],
    ]);
    return callOf(name, args, id);
  }

  async #send({ headers, timeoutMs }: ToolRequest) {
    const key = headers['idempotency-key']!;
    this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
    const takesMs = this.#random() < 0.5 ? 100 : this.#random() * 15_000;
    await sleep(this.#clock, Math.min(takesMs, timeoutMs));
    if (takesMs > timeoutMs)
      throw new ToolHttpError('no answer in time', { reason: 'timeout', hadAnswer: false });
    if (this.#random() < 0.1)
      throw new ToolHttpError('nobody answers there', { reason: 'unreachable', hadAnswer: false });
    return { status: this.#random() < 0.1 ? 500 : 200, body: '{"slot":"Tuesday at nine"}' };
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }

  /** Lets tools that were left behind finish. */
  async settled(): Promise<ModelTalk> {
    await this.#clock.advance(60_000);
    return this.#talk;
  }

  get armed(): number {
    return this.#clock.armed;
  }
}

it('keeps random talks well formed, runs each tool once, and comes to an end', async () => {
  let sent = 0;
  for (let seed = 1; seed <= TALKS; seed++) {
    const talk = new RandomTalk(seed);
    const inputs = await talk.run();
    expect(inputs, `talk ${seed} ends`).toBeLessThan(MOST_INPUTS);
    const { reports, model } = await talk.settled();
    expect(model.complaints, `requests of talk ${seed}`).toEqual([]);
    for (const [key, times] of talk.sent) expect(times, `${key} of talk ${seed}`).toBe(1);
    const ids = reports.tools.map(({ id }) => id);
    expect(new Set(ids).size, `tools of talk ${seed} are told of once`).toBe(ids.length);
    expect(talk.armed, `timers of talk ${seed}`).toBe(0);
    sent += talk.sent.size;
  }
  expect(sent).toBeGreaterThan(TALKS / 4);
});
