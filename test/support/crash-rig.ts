import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import type { JournalLine } from '#telephony/sandbox/call-journal.js';
import { callOnce, callWithSummary, once, placeCall } from './call-story.js';
import { keptEvents } from './kept-events.js';
import { startService, type Service } from './service.js';
import { temporaryFolder } from './temporary-folder.js';
import { WAV_HEADER_BYTES } from '#media/samples/wav.js';
import { loudStretches, readStereoWav } from './wav.js';

/** Telephone audio on disk: two channels, two bytes per sample, 8 kHz. */
const BYTES_PER_MS = 32;
/** An agent with a short greeting, so that the customer speaks soon. */
const AGENT = { name: 'Front desk', initial_message: 'Hello {{name}}.' };

/** The number of loud stretches per side. */
export interface Voices {
  agent: number;
  customer: number;
}

/** The sum over several recordings. */
export function inAll(recordings: readonly Voices[]): Voices {
  const sum = (of: keyof Voices) => recordings.reduce((count, recording) => count + recording[of], 0);
  return { agent: sum('agent'), customer: sum('customer') };
}

/**
 * A data folder and a telephone network that outlive the service processes, and the assertions that hold for all
 * calls however the processes ended.
 */
export class CrashRig {
  readonly folder = temporaryFolder();
  readonly dataDir = join(this.folder, 'data');
  /** How often each number was requested. */
  readonly #asked = new Map<string, number>();
  readonly #callIds: string[] = [];
  #agentId = '';
  #service: Service | null = null;

  get service(): Service {
    if (!this.#service) throw new Error('no service runs');
    return this.#service;
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#service = await startService(this.folder, environment);
    if (this.#agentId !== '') return;
    const { body } = await this.service.request('POST', '/api/agents', AGENT);
    this.#agentId = (body as { id: string }).id;
  }

  async kill(): Promise<void> {
    await this.#service?.kill();
    this.#service = null;
  }

  /** Places a call; by default to a new number, so that the journal distinguishes the calls. */
  async place(number?: string, agent_id = this.#agentId): Promise<string> {
    const to_number = number ?? `+1415555${String(this.#callIds.length).padStart(4, '0')}`;
    this.#asked.set(to_number, (this.#asked.get(to_number) ?? 0) + 1);
    const wish = { to_number, agent_id, customer_data: { name: 'Ada' } };
    const at = this.#callIds.push('') - 1;
    return (this.#callIds[at] = await placeCall(this.service.request, wish));
  }

  placeMany(count: number, number?: string): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.place(number)));
  }

  call(callId: string, isSo: (call: CallResource) => boolean): Promise<CallResource> {
    return callOnce(this.service.request, callId, isSo);
  }

  /** Resolves when the network has dialled each of these calls. */
  async dialled(callIds: readonly string[]): Promise<void> {
    const calls = await Promise.all(callIds.map((id) => this.call(id, () => true)));
    await once(async () => {
      const times = this.timesDialled();
      const missing = calls.filter(({ to_phone }) => !times.has(to_phone));
      if (missing.length > 0) throw new Error(`${missing.length} calls are not dialled yet`);
    });
  }

  /** Resolves when this much of a call is on disk. */
  recorded(callId: string, durationMs: number): Promise<void> {
    return once(async () => {
      if (this.writtenMs(callId) < durationMs) throw new Error('not so much yet');
    });
  }

  /** How much of a call is on disk, in milliseconds. */
  writtenMs(callId: string): number {
    return (statSync(this.#file(callId)).size - WAV_HEADER_BYTES) / BYTES_PER_MS;
  }

  /** Resolves when the disk holds this many stretches per side, in all these calls together. */
  voicesRecorded(callIds: readonly string[], atLeast: Partial<Voices>): Promise<void> {
    return once(async () => {
      const { agent, customer } = inAll(callIds.map((id) => this.#sound(id)));
      const enough = agent >= (atLeast.agent ?? 0) && customer >= (atLeast.customer ?? 0);
      if (!enough) throw new Error(`only ${agent} of the agent and ${customer} of the customer`);
    });
  }

  /** The recording as a client receives it, with its stretches per side. */
  async recording(callId: string) {
    const { body } = await once(async () => {
      const answer = await this.service.request('GET', `/api/calls/${callId}/recording`);
      if (answer.status !== 200) throw new Error('there is no recording');
      return answer;
    });
    const sound = this.#sound(callId);
    expect(body).toMatchObject({ size_bytes: sound.sizeBytes, sample_rate: sound.sampleRateHz });
    expect(sound.saidDurationMs).toBe(sound.durationMs);
    return sound;
  }

  eventTypes(callId: string): string[] {
    return keptEvents(this.dataDir, callId).map(({ event_type }) => event_type);
  }

  /** When a call's conversation began, in epoch milliseconds. */
  beganAt(callId: string): number {
    const began = keptEvents(this.dataDir, callId).find(
      ({ event_type }) => event_type === 'call.in_progress',
    );
    return Date.parse(began!.timestamp);
  }

  /** How often each number was dialled, from the network's journal. */
  timesDialled(): Map<string, number> {
    const times = new Map<string, number>();
    for (const { what, to } of this.ledger()) {
      if (what === 'dialled') times.set(to, (times.get(to) ?? 0) + 1);
    }
    return times;
  }

  ledger(): JournalLine[] {
    const path = join(this.folder, 'ledger.jsonl');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
    return lines.map((line) => JSON.parse(line) as JournalLine);
  }

  /** Asserts that every call ended once, with all after-call work, and was dialled once. */
  async expectAllSettled(): Promise<void> {
    for (const id of this.#callIds) {
      const call = await callOnce(this.service.request, id);
      if (call.answered_at !== null) {
        const isRecorded = existsSync(this.#file(id)) && statSync(this.#file(id)).size > WAV_HEADER_BYTES;
        await callWithSummary(this.service.request, id, { isRecorded });
      }
      const types = this.eventTypes(id);
      const terminal = types.filter((type) => /^call\.(completed|failed|missed)$/.test(type));
      expect(terminal, `${id}: ${types.join()}`).toHaveLength(1);
      expect(types, id).toEqual([...new Set(types)]);
      expect(call.ended_reason, id).not.toBeNull();
    }
    expect(Object.fromEntries(this.timesDialled())).toEqual(Object.fromEntries(this.#asked));
  }

  /** A call's audio on disk now, with its stretches per side. */
  #sound(callId: string) {
    const wav = readFileSync(this.#file(callId));
    const { sampleRateHz, durationMs, saidDurationMs, agent, customer } = readStereoWav(wav);
    const stretches = (samples: Int16Array) => loudStretches(samples, sampleRateHz).length;
    const voices: Voices = { agent: stretches(agent), customer: stretches(customer) };
    return { sizeBytes: wav.length, sampleRateHz, durationMs, saidDurationMs, ...voices };
  }

  #file(callId: string): string {
    return join(this.dataDir, 'recordings', `${callId}.wav`);
  }
}
