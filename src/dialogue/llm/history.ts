import { estimateTokens } from '#dialogue/prompt/tokens.js';
import type { ModelMessage, ModelToolCall, ModelToolResult } from './language-model.js';

/** Stands for a first message of the user if the agent speaks first: providers require one. */
const BEGINNING = '(The call begins.)';
/** Last message if the agent has just said a filler: providers require a message of the user or a tool at the end. */
const WAITING = '(The caller waits.)';
/** Stands for turns that no summary covers and that are left out because the history is too long. */
const LEFT_OUT = '(A part of the call is left out here.)';
/** Starts the summary of turns that are left out. */
const SUMMED_UP = '(What was said before, summed up:';
/** The result of a tool call that is still running. */
const STILL_RUNNING = 'It is still running.';
/** Estimate for the role and the separators of one message. */
const TOKENS_PER_MESSAGE = 4;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** A tool call, and its result. */
export interface ToolUse {
  readonly call: ModelToolCall;
  /** Null while the tool runs. */
  result: string | null;
}

/** Something that happened in a turn, in order. */
type Item =
  /** The agent's speech; `isOpen`: the next piece continues it. */
  | { kind: 'said'; text: string; isOpen: boolean }
  /** An event that the model did not cause, in brackets; the model sees it as a message of the user. */
  | { kind: 'noted'; text: string }
  /** The tool calls of one answer; `providerData` as in {@link ModelMessage}. */
  | { kind: 'called'; uses: readonly ToolUse[]; providerData?: unknown };

/** The part of one turn in the history: the caller's words, and what the agent said and did. */
export interface HistoryTurn {
  /** The caller's words; null if the agent speaks without input. */
  user: string | null;
  items: Item[];
}

/**
 * The conversation of a call as its model sees it. Of the agent's words it keeps only those that were heard; tool calls
 * stay, even if the words around them were not heard. Made by `ModelDialogue` and by playbooks with model steps;
 * `AnswerRounds` and `ToolRounds` fill it.
 */
export class History {
  readonly #turns: HistoryTurn[] = [];
  /** Summary of the turns that were removed from the beginning; null if there is none. */
  #summary: string | null = null;
  /** The last turn of the agent, which may still be cut short or taken back. */
  #current: HistoryTurn | null = null;
  /** A turn taken back that stays because of its tool calls: it gets the next words of the caller. */
  #reopened: HistoryTurn | null = null;

  /** A turn begins with the caller's words; null if the agent speaks without input. */
  begin(user: string | null): HistoryTurn {
    const reopened = user === null ? null : this.#reopened;
    this.#reopened = null;
    const turn = reopened ?? { user, items: [] };
    turn.user = user;
    if (!reopened) this.#turns.push(turn);
    return (this.#current = turn);
  }

  /** The caller said something that no turn answers. */
  addOverheard(text: string): void {
    this.#turns.push({ user: text, items: [] });
  }

  /** An operator said this in the agent's place. */
  addOperatorWords(text: string): void {
    this.#turns.push({ user: null, items: [{ kind: 'said', text, isOpen: false }] });
  }

  /** A note to the agent, which the caller does not hear. */
  addAdvice(text: string): void {
    this.#turns.push({ user: `(A note from your team, which the caller does not hear: ${text})`, items: [] });
  }

  /** Adds a piece of the agent's speech; consecutive pieces are one text. */
  addSpeech(turn: HistoryTurn, text: string): void {
    const last = turn.items.at(-1);
    if (last?.kind === 'said' && last.isOpen) last.text += text;
    else turn.items.push({ kind: 'said', text, isOpen: true });
  }

  /**
   * Adds a filler of the agent. It goes before a tool call that is the newest item: the result must follow the call.
   */
  addFiller(turn: HistoryTurn, text: string): void {
    const at = turn.items.at(-1)?.kind === 'called' ? turn.items.length - 1 : turn.items.length;
    turn.items.splice(at, 0, { kind: 'said', text, isOpen: false });
  }

  /** Adds the tool calls of one answer; their results are filled in later. */
  addToolCalls(turn: HistoryTurn, uses: readonly ToolUse[], providerData?: unknown): void {
    turn.items.push({ kind: 'called', uses, ...(providerData === undefined ? {} : { providerData }) });
  }

  /** Adds an event that the model did not cause and should know. */
  addNote(turn: HistoryTurn, text: string): void {
    turn.items.push({ kind: 'noted', text: `(${text})` });
  }

  /**
   * The last turn was cut short: keeps only the words that the caller heard. They are divided among the pieces of the
   * turn, between which tool calls may lie; the last piece gets the rest.
   */
  interrupted(heard: string): void {
    const items = this.#current?.items ?? [];
    const lastSaid = items.findLastIndex(({ kind }) => kind === 'said');
    let rest = heard.trim();
    items.forEach((item, index) => {
      if (item.kind !== 'said') return;
      // Spoken and written texts differ in punctuation and spaces, so letters and digits are counted.
      const end =
        index === lastSaid ? rest.length : endOfLettersAndDigits(rest, countLettersAndDigits(item.text));
      item.text = rest.slice(0, end).trim();
      item.isOpen = false;
      rest = rest.slice(end);
    });
    if (this.#current) this.#current.items = items.filter((item) => item.kind !== 'said' || item.text !== '');
  }

  /** Removes the last turn, except for its tool calls and notes. */
  takenBack(): void {
    const turn = this.#current;
    this.#current = null;
    if (turn === null) return;
    turn.items = turn.items.filter((item) => item.kind !== 'said');
    if (turn.items.length > 0 && turn.user !== null) this.#reopened = turn;
    else if (turn.items.length === 0) this.#turns.splice(this.#turns.indexOf(turn), 1);
  }

  /** Estimated tokens of the turns, without the summary. */
  get tokens(): number {
    return this.#turns.reduce((sum, turn) => sum + tokensOf(messagesOf([turn])), 0);
  }

  /**
   * The oldest turns as a text for a summary, together with the summary so far. Turns are taken until the others have
   * at most `keptTokens`, and only before the first turn that is unfinished, and before the last turn. Null if none can
   * be taken.
   */
  oldestTurns(keptTokens: number): { turns: readonly HistoryTurn[]; text: string } | null {
    let total = this.tokens;
    const turns: HistoryTurn[] = [];
    for (const turn of this.#turns.slice(0, -1)) {
      if (total <= keptTokens || turn === this.#current || turn === this.#reopened || !hasAllResults(turn))
        break;
      turns.push(turn);
      total -= tokensOf(messagesOf([turn]));
    }
    if (turns.length === 0) return null;
    const before = this.#summary === null ? [] : [`Before: ${this.#summary}`];
    return { turns, text: [...before, ...messagesOf(turns).flatMap(asLines)].join('\n') };
  }

  /** The whole history as readable text; empty if nothing was said. */
  asText(): string {
    const before = this.#summary === null ? [] : [`Before: ${this.#summary}`];
    return [...before, ...messagesOf(this.#turns).flatMap(asLines)].join('\n');
  }

  /** Replaces the oldest turns, and the summary before them, by a new summary. */
  replaceBySummary(turns: readonly HistoryTurn[], summary: string): void {
    this.#summary = summary;
    this.#turns.splice(0, turns.length);
  }

  /**
   * The history as messages. It begins with the user and ends with the user or a tool; every tool call is followed by
   * its result; no role speaks twice in a row. Whole turns are left out, the oldest first, until the rest fits into
   * `maxTokens` by our estimate; the last turn stays in any case.
   */
  messages(maxTokens: number): ModelMessage[] {
    return messagesWithin(this.#turns, this.#summary, maxTokens);
  }

  /** As {@link messages}, if the caller had just said this; the history stays unchanged. */
  messagesWith(user: string, maxTokens: number): ModelMessage[] {
    const reopened = this.#reopened;
    const turns = reopened
      ? this.#turns.map((turn) => (turn === reopened ? { ...turn, user } : turn))
      : [...this.#turns, { user, items: [] }];
    return messagesWithin(turns, this.#summary, maxTokens);
  }
}

/** The messages of some turns, as {@link History.messages} describes them, after a summary of earlier turns. */
function messagesWithin(
  turns: readonly HistoryTurn[],
  summary: string | null,
  maxTokens: number,
): ModelMessage[] {
  const costs = turns.map((turn) => tokensOf(messagesOf([turn])));
  let total = costs.reduce((sum, cost) => sum + cost, summary === null ? 0 : estimateTokens(summary));
  let from = 0;
  for (; total > maxTokens && from < turns.length - 1; from++) total -= costs[from]!;
  const messages = messagesOf(turns.slice(from));
  if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', text: WAITING });
  const before = [...(summary === null ? [] : [`${SUMMED_UP} ${summary})`]), ...(from > 0 ? [LEFT_OUT] : [])];
  return before.length > 0 ? withTextFirst(before.join('\n'), messages) : withUserFirst(messages);
}

/** True if no tool of the turn still runs. */
function hasAllResults({ items }: HistoryTurn): boolean {
  return items.every((item) => item.kind !== 'called' || item.uses.every(({ result }) => result !== null));
}

/** A message as lines of text for a summary. */
function asLines(message: ModelMessage): string[] {
  switch (message.role) {
    case 'user':
      return [`Caller: ${message.text}`];
    case 'tool':
      return message.results.map(({ name, text }) => `Result of ${name}: ${text}`);
    case 'assistant': {
      const calls = message.toolCalls.map((call) => `Agent calls ${call.name}: ${call.arguments}`);
      return message.text === '' ? calls : [`Agent: ${message.text}`, ...calls];
    }
  }
}

/** The messages of some turns, in which no role speaks twice in a row. */
function messagesOf(turns: readonly HistoryTurn[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const { user, items } of turns) {
    if (user !== null) addUser(messages, user);
    for (const item of items) {
      if (item.kind === 'said') addSaid(messages, item.text);
      else if (item.kind === 'noted') addUser(messages, item.text);
      else addCalls(messages, item);
    }
  }
  return messages;
}

/* Roles alternate for providers: a text of the same role continues the message before. */
function addUser(messages: ModelMessage[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === 'user') last.text += `\n${text}`;
  else messages.push({ role: 'user', text });
}

function addSaid(messages: ModelMessage[], text: string): void {
  const said = text.trim();
  if (said === '') return;
  const last = messages.at(-1);
  if (last?.role === 'assistant') last.text = joined(last.text, said);
  else messages.push({ role: 'assistant', text: said, toolCalls: [] });
}

/** Adds tool calls to the message of the assistant before them, and their results as a message of tools. */
function addCalls(messages: ModelMessage[], item: Item & { kind: 'called' }): void {
  const last = messages.at(-1);
  const text = last?.role === 'assistant' ? last.text : '';
  if (last?.role === 'assistant') messages.pop();
  const { uses, providerData } = item;
  const results = uses.map(({ call, result }): ModelToolResult => {
    return { id: call.id, name: call.name, text: result ?? STILL_RUNNING };
  });
  const toolCalls = uses.map(({ call }) => call);
  messages.push(
    { role: 'assistant', text, toolCalls, ...(providerData === undefined ? {} : { providerData }) },
    { role: 'tool', results },
  );
}

function joined(before: string, text: string): string {
  return before === '' ? text : `${before} ${text}`;
}

/** The messages, after {@link BEGINNING} unless they begin with the user. */
function withUserFirst(messages: ModelMessage[]): ModelMessage[] {
  return messages[0]?.role === 'user' ? messages : [{ role: 'user', text: BEGINNING }, ...messages];
}

/** The messages after a text of the user: it is joined with a first message of the user. */
function withTextFirst(text: string, messages: ModelMessage[]): ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role === 'user') return [{ role: 'user', text: `${text}\n${first.text}` }, ...rest];
  return [{ role: 'user', text }, ...messages];
}

function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + TOKENS_PER_MESSAGE + estimateTokens(textOf(message)), 0);
}

function textOf(message: ModelMessage): string {
  if (message.role === 'user') return message.text;
  if (message.role === 'tool') return message.results.map(({ text }) => text).join('');
  return message.text + message.toolCalls.map((call) => call.name + call.arguments).join('');
}

function countLettersAndDigits(text: string): number {
  return [...text].filter((character) => LETTER_OR_DIGIT.test(character)).length;
}

/** Index after this many letters and digits of a text and the punctuation that follows them. */
function endOfLettersAndDigits(text: string, count: number): number {
  let left = count;
  let end = 0;
  for (const character of text) {
    if (LETTER_OR_DIGIT.test(character) && --left < 0) break;
    end += character.length;
  }
  return end;
}
