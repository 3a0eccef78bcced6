import type { Lookup } from '#agents/definitions/lookup.js';
import { flawsOf, isTooDeep } from '#kernel/input/json-scan.js';
import type { ArrivedCall } from '#telephony/port/remote-host.js';
import { LOOKUP_QUESTION_TYPE, lookupAnswer, type LookupFacts } from './lookup-question.js';

/** Port: asks the customer's receiver about a ringing call. Never rejects; answers within two seconds. */
export type AskReceiver = (question: {
  id: string;
  type: string;
  url: string;
  secret: string;
  facts: LookupFacts;
}) => Promise<{ body: string | null } | { failure: string }>;

const DEEPEST_NESTING = 8;

/** The result of a lookup. */
export interface LookupResult {
  /** The agent that talks instead of the one that would answer. */
  agentId: string | null;
  variables: Readonly<Record<string, string | number | boolean>>;
  /** Why the lookup failed; null also when none was made. */
  failure: string | null;
}

/** The result when no lookup was made. */
export const NOTHING_FOUND: LookupResult = { agentId: null, variables: {}, failure: null };

/** Asks about a call that has arrived, once. */
export async function lookUp(
  lookup: Lookup,
  { callId, carrier, from, to }: ArrivedCall & { callId: string },
  ask: AskReceiver,
): Promise<LookupResult> {
  const facts = { call_id: callId, call_from: from, call_to: to, provider: carrier };
  const answer = await ask({ ...lookup, id: callId, type: LOOKUP_QUESTION_TYPE, facts });
  return 'failure' in answer ? { ...NOTHING_FOUND, failure: answer.failure } : read(answer.body);
}

/** An empty answer changes nothing; an invalid answer is a failed lookup. */
function read(body: string | null): LookupResult {
  if (body === null) return NOTHING_FOUND;
  const answer = lookupAnswer.safeParse(parse(body));
  if (!answer.success) return { ...NOTHING_FOUND, failure: 'bad_answer' };
  const { agent_id: agentId, variables } = answer.data;
  return { agentId: agentId ?? null, variables: variables ?? {}, failure: null };
}

/** Undefined for text that is no JSON, or that cannot be stored unchanged. */
function parse(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    // A number that loses digits is accepted, so that the rest of the answer is not lost.
    return isTooDeep(answer, DEEPEST_NESTING) || flawsOf(answer).length > 0 ? undefined : answer;
  } catch {
    return undefined;
  }
}
