import { flawsOf, scanJson } from '#kernel/input/json-scan.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { Store } from '#store/store.js';
import type { ArrivedCall } from '#telephony/port/remote-host.js';
import { inboundTransactions } from './inbound-store.js';
import { LOOKUP_QUESTION_TYPE, lookupAnswer, type LookupFacts } from './lookup-question.js';

/** Asks somebody of the customer's about a call that rings (port). It never rejects, and is over in two seconds. */
export type AskReceiver = (question: {
  id: string;
  type: string;
  url: string;
  secret: string;
  facts: LookupFacts;
}) => Promise<{ body: string | null } | { failure: string }>;

const DEEPEST_NESTING = 8;

/** What came of asking. */
export interface LookupResult {
  /** Who shall talk instead of the agent that answers otherwise. */
  agentId: string | null;
  variables: Readonly<Record<string, string | number | boolean>>;
  /** Why nothing came of it; null where nobody was asked, too. */
  failure: string | null;
}

/** Nobody was asked. */
export const NOTHING_FOUND: LookupResult = { agentId: null, variables: {}, failure: null };

/**
 * Asks whom the called number, or the agent that answers it, names; once for a call, and nobody where none is named.
 */
export async function lookUp(
  arrived: ArrivedCall & { callId: string; workspace: string },
  { store, ask, providers }: { store: Store; ask: AskReceiver; providers: KnownProviders },
): Promise<LookupResult> {
  const { callId, carrier, providerCallId, from, to, workspace } = arrived;
  const lookup = await store.read(inboundTransactions.lookup, {
    provider: carrier,
    providerCallId,
    calledNumber: to ?? '',
    workspace,
    providers,
  });
  if (lookup === null) return NOTHING_FOUND;
  const facts = { call_id: callId, call_from: from, call_to: to, provider: carrier };
  const answer = await ask({ ...lookup, id: callId, type: LOOKUP_QUESTION_TYPE, facts });
  return 'failure' in answer ? { ...NOTHING_FOUND, failure: answer.failure } : read(answer.body);
}

/** Whoever says nothing has nothing to say; what is no answer is as good as none. */
function read(body: string | null): LookupResult {
  if (body === null) return NOTHING_FOUND;
  const answer = lookupAnswer.safeParse(parse(body));
  if (!answer.success) return { ...NOTHING_FOUND, failure: 'bad_answer' };
  const { agent_id: agentId, variables } = answer.data;
  return { agentId: agentId ?? null, variables: variables ?? {}, failure: null };
}

/** Undefined for what is no JSON, or cannot be kept as it is. */
function parse(body: string): unknown {
  const { depth, isSuspect } = scanJson(body);
  if (depth > DEEPEST_NESTING) return undefined;
  try {
    const answer: unknown = JSON.parse(body);
    // A number that loses digits is no reason to let the caller do without the rest of the answer.
    return isSuspect && flawsOf(answer, new Set()).length > 0 ? undefined : answer;
  } catch {
    return undefined;
  }
}
