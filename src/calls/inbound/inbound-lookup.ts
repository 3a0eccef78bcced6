import type { Lookup } from '#agents/definitions/lookup.js';
import { flawsOf, isTooDeep } from '#kernel/input/json-scan.js';
import type { ArrivedCall } from '#telephony/port/remote-host.js';
import { LOOKUP_QUESTION_TYPE, lookupAnswer, type LookupFacts } from './lookup-question.js';

// The lookup of an inbound call, for `InboundCalls`: before the call is answered, the customer's server (the receiver)
// may choose the agent and give it variables.

/**
 * Port to the webhooks module, which sends the lookup to the customer's receiver. Resolves within two seconds, with the
 * text of the answer (null when empty) or with the failure. Never rejects.
 */
export type AskReceiver = (question: {
  id: string;
  type: string;
  url: string;
  secret: string;
  facts: LookupFacts;
}) => Promise<{ body: string | null } | { failure: string }>;

/** The limit on the nesting of the JSON in a lookup's answer. */
const MAX_NESTING = 8;

/** The result of a lookup. */
export interface LookupResult {
  /** The agent that the receiver chose; null keeps the agent that would answer. */
  agentId: string | null;
  variables: Readonly<Record<string, string | number | boolean>>;
  /** Why the lookup failed; null also when none was made. */
  failure: string | null;
}

/** The result that changes nothing: no lookup was made, or its answer is empty. */
export const NOTHING_FOUND: LookupResult = { agentId: null, variables: {}, failure: null };

/** Makes the lookup of an announced call. Never rejects: a failed lookup is a result without a choice. */
export async function lookUp(
  lookup: Lookup,
  { callId, carrier, from, to }: ArrivedCall & { callId: string },
  ask: AskReceiver,
): Promise<LookupResult> {
  const facts = { call_id: callId, call_from: from, call_to: to, provider: carrier };
  const answer = await ask({ ...lookup, id: callId, type: LOOKUP_QUESTION_TYPE, facts });
  return 'failure' in answer ? { ...NOTHING_FOUND, failure: answer.failure } : readAnswer(answer.body);
}

/** Reads the result from the text of an answer. An empty answer changes nothing; an invalid one is a failed lookup. */
function readAnswer(body: string | null): LookupResult {
  if (body === null) return NOTHING_FOUND;
  const answer = lookupAnswer.safeParse(parseJson(body));
  if (!answer.success) return { ...NOTHING_FOUND, failure: 'bad_answer' };
  const { agent_id: agentId, variables } = answer.data;
  return { agentId: agentId ?? null, variables: variables ?? {}, failure: null };
}

/**
 * The JSON value of a text; undefined for text that is no JSON, is nested too deeply, or contains characters that the
 * database cannot store.
 */
function parseJson(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    // Without the text, `flawsOf` does not find numbers too long to keep all their digits. They are accepted, so that
    // the rest of the answer is not lost.
    return isTooDeep(answer, MAX_NESTING) || flawsOf(answer).length > 0 ? undefined : answer;
  } catch {
    return undefined;
  }
}
