import { expect } from 'vitest';
import type { DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import { ModelError, type ModelRequest } from '#dialogue/llm/language-model.js';
import { ToolHttpError, type ToolAnswer, type ToolRequest } from '#dialogue/tools/tool-http.js';
import { sleep } from '#kernel/time/clock.js';
import { callOf, finish, text, type AnswerStep } from './answering-model.js';
import { FakeClock, settle } from './fake-clock.js';
import { spokenIn, type ModelTalk } from './model-talks.js';

/** A conversation with more inputs counts as endless. */
const MOST_INPUTS = 400;
const DOWN = new ModelError('away', { provider: 'scripted', failure: 'timeout', retryable: true });

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
  'yes please',
];
const LAST = ['goodbye', 'do not call me again', 'that is all, bye'];

/** Pseudo-random numbers between 0 and 1, reproducible for a seed. */
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

/** What a random conversation needs. */
export interface RandomTalkParts {
  clock: FakeClock;
  answer(request: ModelRequest): AnswerStep[];
  send(request: ToolRequest): Promise<ToolAnswer>;
}

interface Started extends Pick<ModelTalk, 'model' | 'reports'> {
  readonly dialogue: DialogueManager;
}

/** A conversation with a caller who interrupts, stays silent or hangs up at random. */
export class RandomTalk {
  readonly #random: () => number;
  readonly #clock = new FakeClock();
  readonly #talk: Started;
  readonly #calls: readonly (readonly [name: string, args: unknown])[];
  /** What was heard of the agent, by turn; the last is the turn in progress. */
  #heard: string[] = [];
  readonly sent = new Map<string, number>();
  readonly called = new Set<string>();
  #ids = 0;
  #unanswered = '';

  /** @param calls tool calls that the model may make, by name and arguments */
  constructor(
    seed: number,
    start: (parts: RandomTalkParts) => Started,
    calls: readonly (readonly [name: string, args: unknown])[],
  ) {
    this.#random = chance(seed);
    this.#calls = calls;
    this.#talk = start({
      clock: this.#clock,
      send: (request) => this.#send(request),
      answer: (request) => this.#answer(request),
    });
  }

  /** Runs the conversation to its end; returns the number of inputs. */
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
      } else input = await this.#heardNext();
    }
    return MOST_INPUTS;
  }

  async #heardNext(): Promise<TurnInput> {
    const words = this.#pick(this.#random() < 0.05 ? LAST : SAID);
    const whole = `${this.#unanswered} ${words}`.trim();
    this.#unanswered = '';
    if (whole !== '' && this.#random() < 0.3) await this.#pauseIn(whole);
    return { kind: 'heard', transcript: { text: whole, confidence: whole === '' ? 0 : 0.9 } };
  }

  /** The caller pauses after some or all of the words, so that a reply may be prepared. */
  async #pauseIn(whole: string): Promise<void> {
    const { dialogue } = this.#talk;
    const all = whole.split(' ');
    const words = all.slice(0, 1 + Math.floor(this.#random() * 2 * all.length)).join(' ');
    dialogue.note({ kind: 'hearing', words, hasPaused: false });
    dialogue.note({ kind: 'hearing', words, hasPaused: true });
    await this.#clock.advance(Math.floor(this.#random() * 1_000));
  }

  /** @returns the last output; null if the caller interrupted before it came */
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
    const [name, args] = this.#pick(this.#calls);
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

  /** Lets unfinished tools end. */
  async settled(): Promise<Started> {
    await this.#clock.advance(60_000);
    return this.#talk;
  }

  get armed(): number {
    return this.#clock.armed;
  }
}

/** Runs random conversations and checks their invariants. @returns the number of tool requests */
export async function runRandomTalks(talks: number, begin: (seed: number) => RandomTalk): Promise<number> {
  let sent = 0;
  for (let seed = 1; seed <= talks; seed++) {
    const talk = begin(seed);
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
  return sent;
}
