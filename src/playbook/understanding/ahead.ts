import type { AskStep, PlaybookExpectation, PlaybookStep } from '#playbook/steps/playbook-step.js';
import { timeRange } from '#playbook/values/bounds.js';
import { readCount } from '#language/numbers/read-number.js';
import { readTime } from '#playbook/values/times/read-time.js';
import { listsOf } from '#playbook/values/spoken-language.js';
import { readValue, writtenTime, type Surroundings } from '#playbook/values/value.js';

type Kind = PlaybookExpectation['kind'];

/** What was said to one question and may answer the following ones. */
export interface Said {
  /** What was said, in order. */
  texts: readonly string[];
  /** The kinds of answers already taken from it. */
  taken: readonly Kind[];
}

/** Kinds of values that do not occur by accident. A number counts only if the question reads it back. */
const PLAIN: ReadonlySet<Kind> = new Set(['date', 'time', 'phone_number', 'number']);
/** Kinds of values often said together: "four people on Friday". */
const GOES_WITH: { readonly [Answered in Kind]?: Kind } = { date: 'time', time: 'date', number: 'date' };

/**
 * Finds the answer to a question in the reply to an earlier one: "Tuesday at three" to "Which day?", or "yes, on
 * Tuesday" to "Shall we find another day?". Null if the question has to be asked.
 */
export function readAhead({ texts, taken }: Said, step: AskStep, surroundings: Surroundings): string | null {
  const { kind } = step.expect;
  if (taken.includes(kind) || !PLAIN.has(kind)) return null;
  if (kind === 'number' && !step.confirm) return null;
  const values = texts.map((text) => plainValue(text, step.expect, surroundings));
  return values.findLast((value) => value !== null) ?? null;
}

function plainValue(text: string, expect: PlaybookExpectation, surroundings: Surroundings): string | null {
  if (expect.kind === 'time' && listsOf(surroundings) === null) {
    const minute = readTime(text, { range: timeRange(expect), anchored: true, openEnded: false });
    return typeof minute === 'number' ? writtenTime(minute) : null;
  }
  const isCounted = expect.kind === 'number' && listsOf(surroundings) === null;
  const count = isCounted ? readCount(text) : null;
  if (isCounted && count === null) return null;
  const value = readValue(count === null ? text : String(count), expect, surroundings);
  return typeof value === 'string' ? value : null;
}

/**
 * A later question whose answer is often said together with this one's; null unless it follows whatever the answer
 * is.
 */
export function otherHalf(step: AskStep, steps: Readonly<Record<string, PlaybookStep>>): AskStep | null {
  const other = GOES_WITH[step.expect.kind];
  if (other === undefined || !step.next) return null;
  const passed = new Set<string>();
  for (let name = step.next; !passed.has(name);) {
    passed.add(name);
    const next = steps[name]!;
    if (next.kind === 'ask') return next.expect.kind === other ? next : null;
    if (next.kind !== 'say' && next.kind !== 'reply' && next.kind !== 'set') return null;
    name = next.next;
  }
  return null;
}
