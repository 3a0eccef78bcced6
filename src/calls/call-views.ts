import type { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Cursor, Page } from '#store/page.js';
import type { Store } from '#store/store.js';
import type { CallLinks } from '#calls/record/call-event-data.js';
import type { CallFilter } from './call-filter.js';
import { callMachine } from '#calls/record/call-machine.js';
import { toCallResource, type CallResource } from '#calls/resources/call-resource.js';
import { callTransactions } from './call-store.js';
import { beginningOf } from '#calls/talk/transcript-formats.js';
import { toCallSummary, type callSummary } from '#calls/resources/call-summary.js';
import { toMetricsResource, type callMetricsResource } from '#calls/resources/talk-metrics.js';
import { groupBy, type CallTurn } from '#calls/talk/talk-rows.js';
import { talkTransactions } from '#calls/talk/talk-store.js';

/** The length of the beginning of a transcript that a list of calls shows. */
const LIST_TRANSCRIPT_CHARACTERS = 200;

/** Reads calls and turns them into the API's resources, for the HTTP routes that show one call or a list of calls. */
export class CallViews {
  readonly #parts: { store: Store; clock: Clock; links: (callId: string) => CallLinks };

  constructor(parts: { store: Store; clock: Clock; links: (callId: string) => CallLinks }) {
    this.#parts = parts;
  }

  /** A call with its turns, which `?expand=turns` shows. */
  async get(principal: Principal, id: string): Promise<{ resource: CallResource; turns: CallTurn[] }> {
    const { store, clock, links } = this.#parts;
    const { workspace } = principal;
    const { call, entries, turns } = await store.read(talkTransactions.view, { workspace, id });
    const resource = toCallResource({ call, entries, turns, links: links(id), now: clock.wallMs() });
    return { resource, turns };
  }

  /** The measured latencies of a call; see {@link callMetricsResource}. */
  async metrics(principal: Principal, id: string): Promise<z.infer<typeof callMetricsResource>> {
    const { resource, turns } = await this.get(principal, id);
    return toMetricsResource(resource, turns);
  }

  /** What a call was about: its summary, answers and analysis. */
  async summary(principal: Principal, id: string): Promise<z.infer<typeof callSummary>> {
    const { workspace } = principal;
    return toCallSummary(await this.#parts.store.read(callTransactions.get, { workspace, id }));
  }

  /**
   * One page of calls, newest first, each with its transcript.
   * @param page.wholeTranscripts false: only the beginning of each transcript
   */
  async list(
    filter: CallFilter,
    page: { cursor: Cursor | null; limit: number; wholeTranscripts: boolean },
  ): Promise<Page<CallResource>> {
    const { store, clock, links } = this.#parts;
    const { cursor, limit } = page;
    const now = clock.wallMs();
    const { items, next } = await store.read(callTransactions.list, { filter, cursor, limit, now });
    const talks = await store.read(talkTransactions.transcriptsOf, {
      callIds: items.map((call) => call.id),
      liveIds: items.filter((call) => !callMachine.isFinal(call.status)).map((call) => call.id),
    });
    const entriesOf = groupBy(
      talks.entries,
      (entry) => entry.call_id,
      (entry) => entry,
    );
    // Only calls that are not over have turns here: their metrics are computed from the turns, those of ended calls are
    // stored.
    const turnsOf = new Map(talks.turns);
    const resources = items.map((call) => {
      const { id } = call;
      const talk = { entries: entriesOf.get(id) ?? [], turns: turnsOf.get(id) ?? [] };
      const resource = toCallResource({ call, ...talk, links: links(id), now });
      if (page.wholeTranscripts) return resource;
      return { ...resource, transcript: beginningOf(resource.transcript, LIST_TRANSCRIPT_CHARACTERS) };
    });
    return { items: resources, next };
  }
}
