import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carrierContract } from '#test/contracts/carrier.js';
import { createSandboxRig, type SandboxRig } from './sandbox-rig.js';

let folder: string;
let journalPath: string;
const rigs: SandboxRig[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  journalPath = join(folder, 'ledger.jsonl');
});
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.dispose()));
  await rm(folder, { recursive: true });
});

carrierContract('sandbox, with a ledger in a file', () => createSandboxRig({ journalPath }));

describe('a sandbox network with a ledger', () => {
  async function startNetwork() {
    const rig = await createSandboxRig({ journalPath });
    rigs.push(rig);
    return rig;
  }

  function request(to: string, dialRef: string) {
    return { dialRef, to, from: '+15550000000', ringTimeoutSeconds: 30, sendBefore: Number.MAX_SAFE_INTEGER };
  }

  function place(rig: SandboxRig, to: string, dialRef: string) {
    return rig.answer(rig.carrier.place(request(to, dialRef), new AbortController().signal));
  }

  async function dialledLines() {
    return (await readFile(journalPath, 'utf8'))
      .split('\n')
      .filter((line) => line.includes('"what":"dialled"'));
  }

  it('has written a phone down before anybody is told that it rings', async () => {
    const rig = await startNetwork();
    const linesWhenTold = new Promise<string[]>((resolve) => {
      rig.host.report = async () => resolve(await dialledLines());
    });
    await place(rig, '+15550100006', 'dial_1');
    expect(await linesWhenTold).toHaveLength(1);
  });

  it('writes nothing about a number that it refuses', async () => {
    const rig = await startNetwork();
    await expect(place(rig, '+15550100008', 'dial_1')).rejects.toMatchObject({ outcome: 'not_dialled' });
    expect(await rig.answer(rig.carrier.lookUp('dial_1', null))).toEqual({ found: false });
    expect(await dialledLines()).toEqual([]);
  });

  it('knows the calls of a network that died, and dials none of them again', async () => {
    const died = await startNetwork();
    const { providerCallId } = await place(died, '+15550100006', 'dial_1');
    await place(died, '+15550100005', 'dial_2');
    await died.until(died.host.reported('dial_2'));

    const next = await startNetwork();
    const found = { found: true, providerCallId, status: 'completed' };
    expect(await next.answer(next.carrier.lookUp('dial_1', null))).toEqual(found);
    expect(await next.answer(next.carrier.lookUp('dial_2', null))).toMatchObject({
      found: true,
      status: 'busy',
    });
    expect(await next.answer(next.carrier.lookUp('dial_3', null))).toEqual({ found: false });

    expect(await place(next, '+15550100006', 'dial_1')).toEqual({ providerCallId });
    const end = await next.until(next.host.reported('dial_1'));
    expect(end).toMatchObject({ status: 'completed', code: 'network_restarted', providerCallId });
    await place(next, '+15550100006', 'dial_1');
    await next.pass(60_000);
    expect(next.host.statuses('dial_1')).toEqual(['completed']);
    expect(await dialledLines()).toHaveLength(2);
  });

  it.skipIf(!existsSync('/proc/self'))('refuses to dial where its folder cannot be made', async () => {
    const rig = await createSandboxRig({ journalPath: '/proc/nowhere/below/ledger.jsonl' });
    await expect(place(rig, '+15550100006', 'dial_1')).rejects.toMatchObject({ outcome: 'unknown' });
  });
});
