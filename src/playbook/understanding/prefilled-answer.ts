import type { AskStep, PlaybookExpectation, PlaybookStep } from '#playbook/steps/playbook-step.js';
import { timeRange } from '#playbook/values/bounds.js';
import { readCount } from '#language/numbers/read-number.js';
import { readTime } from '#playbook/values/times/read-time.js';
import { wordListLanguage } from '#playbook/values/spoken-language.js';
import { readValue, apiTime, type ReadContext } from '#playbook/values/value.js';

/*
 * Callers often answer the next question, too: "Tuesday at three" to "Which day?". `PlaybookSession` looks for
 * answers in earlier replies before it asks, and skips a question that is already answered.
 */

/** The kind of a question. */
type Kind = PlaybookExpectation['kind'];

/** Replies to a question that may also answer the questions after it. */
export interface EarlierReplies {
  /** The replies, in order. */
  texts: readonly string[];
  /** The kinds of answers that these replies have already given. */
  taken: readonly Kind[];
}

/** Kinds of answers that do not occur by accident. A number counts only if the question reads it back. */
const UNMISTAKABLE_KINDS: ReadonlySet<Kind> = new Set(['date', 'time', 'phone_number', 'number']);
/** The kind that is often said together with each kind: "four people on Friday". */
const COMPANION_KIND: { readonly [Answered in Kind]?: Kind } = { date: 'time', time: 'date', number: 'date' };

/**
 * Finds the answer to a question in the replies to an earlier question: "yes, on Tuesday" to "Shall we find another
 * day?". Of several replies with an answer, the last counts.
 * @returns the answer in the form of the API; null if the question has to be asked
 */
export function readPrefilledAnswer(
  { texts, taken }: EarlierReplies,
  step: AskStep,
  readContext: ReadContext,
): string | null {
  const { kind } = step.expect;
  if (taken.includes(kind) || !UNMISTAKABLE_KINDS.has(kind)) return null;
  if (kind === 'number' && !step.confirm) return null;
  const values = texts.map((text) => clearValue(text, step.expect, readContext));
  return values.findLast((value) => value !== null) ?? null;
}

/** The answer to a question in a reply to another question, if it is clear: "at three" is, a bare "three" is not. */
function clearValue(text: string, expect: PlaybookExpectation, readContext: ReadContext): string | null {
  if (expect.kind === 'time' && wordListLanguage(readContext) === null) {
    const minute = readTime(text, { range: timeRange(expect), anchored: true, openEnded: false });
    return typeof minute === 'number' ? apiTime(minute) : null;
  }
  const isCounted = expect.kind === 'number' && wordListLanguage(readContext) === null;
  const count = isCounted ? readCount(text) : null;
  if (isCounted && count === null) return null;
  const value = readValue(count === null ? text : String(count), expect, readContext);
  return typeof value === 'string' ? value : null;
}

/**
 * The next question, if its answer is often said together with the answer to this question, and if it follows whatever
 * the answer is (steps that only speak or set a value may lie between); else null. The recogniser then expects both
 * answers.
 */
export function companionQuestion(
  step: AskStep,
  steps: Readonly<Record<string, PlaybookStep>>,
): AskStep | null {
  const companionKind = COMPANION_KIND[step.expect.kind];
  if (companionKind === undefined || !step.next) return null;
  const passed = new Set<string>();
  for (let name = step.next; !passed.has(name);) {
    passed.add(name);
    const next = steps[name]!;
    if (next.kind === 'ask') return next.expect.kind === companionKind ? next : null;
    if (next.kind !== 'say' && next.kind !== 'reply' && next.kind !== 'set') return null;
    name = next.next;
  }
  return null;
}
