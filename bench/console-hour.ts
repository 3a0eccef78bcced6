import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { chromium } from 'playwright-core';
import type { ConsoleTarget } from './console-service.js';
import { ask, create } from './service-request.js';

const CHROMIUM = '/usr/bin/chromium';
const HOUR_MS = 3_600_000;
/** A sentence every six seconds. */
const SENTENCE_MS = 6_000;
const SENTENCES = HOUR_MS / SENTENCE_MS;
/** Each second sentence is the agent's answer. */
const TURNS = SENTENCES / 2;
const SAMPLE_RATE = 8_000;
const TIMES = 5;
const LOOK_MS = 100;

/** Milliseconds from the click on a call to its page. */
export interface OpenedCall {
  /** Until its waveform, its first sentences and its first turns are shown. */
  shownMs: number;
  /** Until its last sentence and its last turn are there as well. */
  wholeMs: number;
}

/** How long a browser takes to show a call of an hour with its sound; null without one. */
export async function openHours(target: ConsoleTarget): Promise<OpenedCall[] | null> {
  if (!existsSync(CHROMIUM)) return null;
  const callId = await callOfAnHour(target);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`${target.origin}/console#key=${target.apiKey}`);
  await page.locator('main h1').waitFor();
  const took: OpenedCall[] = [];
  for (let time = 0; time < TIMES; time++) {
    await page.goto('about:blank');
    const startedMs = performance.now();
    await page.goto(`${target.origin}/console/calls/${callId}`, { waitUntil: 'commit' });
    await Promise.all([
      page.locator('.sentence').first().waitFor(),
      page.locator('.waterfall .first').first().waitFor({ state: 'attached' }),
      page.getByRole('slider', { name: 'Place in the recording' }).waitFor(),
    ]);
    const shownMs = performance.now() - startedMs;
    await page
      .locator('.sentence')
      .nth(SENTENCES - 1)
      .waitFor({ state: 'attached' });
    await page
      .locator('.waterfall .first')
      .nth(TURNS - 1)
      .waitFor({ state: 'attached' });
    took.push({ shownMs, wholeMs: performance.now() - startedMs });
  }
  await browser.close();
  return took;
}

/** A call that was over at once, made longer in its rows and its recording. */
async function callOfAnHour(target: ConsoleTarget): Promise<string> {
  const { call_id: id } = await create(target, '/api/calls', {
    agent_id: target.agentId,
    to_phone: target.number,
  });
  const callId = String(id);
  while (((await ask(target, 'GET', `/api/calls/${callId}`)) as { status: string }).status !== 'completed')
    await sleep(LOOK_MS);
  const database = new Database(join(target.dataDir, 'callwright.db'));
  database.transaction(() => writeHour(database, callId))();
  database.close();
  writeFileSync(join(target.dataDir, 'recordings', `${callId}.wav`), soundOfAnHour());
  return callId;
}

function writeHour(database: Database.Database, callId: string): void {
  database.prepare('delete from transcript_entries where call_id = ?').run(callId);
  database.prepare('delete from call_turns where call_id = ?').run(callId);
  database.prepare('delete from recordings where call_id = ?').run(callId);
  const entry = database.prepare(
    `insert into transcript_entries (call_id, sequence, speaker, text, confidence, start_ms, end_ms, interrupted)
     values (?, ?, ?, 'Could we come in the morning, or does the afternoon suit you better?', 1, ?, ?, 0)`,
  );
  const turn = database.prepare(
    `insert into call_turns (call_id, turn, end_of_turn_ms, stt_ms, llm_first_token_ms, tts_first_byte_ms, total_ms,
       interrupted, sounded_at_ms) values (?, ?, 300, 80, 400, 60, 860, 0, ?)`,
  );
  for (let count = 0; count < SENTENCES; count++) {
    const at = count * SENTENCE_MS;
    entry.run(callId, count + 1, count % 2 === 0 ? 'customer' : 'agent', at, at + SENTENCE_MS - 1_000);
    if (count % 2 === 1) turn.run(callId, count, at);
  }
  database
    .prepare(
      `insert into recordings (id, call_id, workspace, status, storage, file_name, format, sample_rate, channels,
         size_bytes, duration_ms, created_at)
       select 'rec_of_an_hour', id, workspace, 'ready', 'local', id || '.wav', 'wav', ?, 2, ?, ?, created_at
       from calls where id = ?`,
    )
    .run(SAMPLE_RATE, soundBytes, HOUR_MS, callId);
}

const soundBytes = (HOUR_MS / 1_000) * SAMPLE_RATE * 4;

/** Stereo, 16 bits. */
function soundOfAnHour(): Buffer {
  const file = Buffer.alloc(44 + soundBytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + soundBytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(soundBytes, 40);
  for (let at = 44; at < file.length; at += 2) file.writeInt16LE(((at * 7_919) % 20_000) - 10_000, at);
  return file;
}
