import { beforeEach, describe, expect, it } from 'vitest';
import { agentCreate } from '#agents/definitions/agent-input.js';
import { AgentTrials } from '#agents/definitions/agent-trials.js';
import { createAgents, type Agents } from '#agents/definitions/agents.js';
import { CallRig } from '#test/support/call-rig.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { PRINCIPAL } from '#test/support/principal.js';

const DEEPGRAM = { name: 'deepgram', configured: true };
const AWAY = { ai_provider: 'openai', model: 'gpt-4.1' };

let rig: CallRig;
let agents: Agents;

/** An agent of this name which is the default one, too. */
const makeAgent = (fields: Record<string, unknown> = {}) =>
  agents.create('default', agentCreate.parse({ name: 'A', is_default: true, ...fields }), () => null);

beforeEach(async () => {
  rig = await CallRig.started();
  const lookups = { checkUrl: async () => {}, newSecret: () => 'whsec' };
  agents = createAgents({ ...rig, lookups, providers: rig.providers, trials: new AgentTrials(rig.clock) });
});

describe('the providers of a call', () => {
  it('are kept with it when it is answered, the recogniser being that of the agent', async () => {
    rig.providers.transcription = [...rig.providers.transcription, DEEPGRAM];
    await makeAgent({ transcription_provider: 'deepgram' });

    const call = await rig.talking();

    expect(call.transcription_provider).toBe('deepgram');
    expect(call.providers).toEqual({
      ai: 'builtin',
      model: null,
      voice: 'builtin',
      transcription: 'deepgram',
      substituted: [],
    });
  });

  it('are those of the call before those of the agent', async () => {
    rig.providers.transcription = [...rig.providers.transcription, DEEPGRAM];
    await makeAgent();

    const call = await rig.talking({ transcription_provider: 'deepgram' });

    expect(call.providers).toMatchObject({ transcription: 'deepgram' });
  });

  it('are replaced by the built-in ones where they are not configured, and the log of the call says so', async () => {
    await makeAgent(AWAY);

    const call = await rig.talking();

    const substituted = [{ field: 'ai_provider', asked: 'openai', used: 'builtin' }];
    expect(call.providers).toMatchObject({ ai: 'builtin', model: null, substituted });
    const events = await rig.callService.calls.events(PRINCIPAL, call.id);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'providers_substituted', data: { substituted } }),
    );
    const [event] = await rig.store.read(sqlTransactions.all, {
      sql: `select body from events where type = 'call.in_progress'`,
    });
    expect(JSON.parse(String(event!['body'])).data.providers).toMatchObject({ ai: 'builtin', substituted });
    expect(rig.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: 'an agent talks without a provider that it names',
        call_id: call.id,
        ai: 'builtin',
        substituted,
      }),
    );
  });
});

describe('where calls with unconfigured providers are refused', () => {
  beforeEach(() => {
    rig.providers.whenUnconfigured = 'refuse';
  });

  it('a request for one is, and names the field', async () => {
    await makeAgent(AWAY);

    await expect(rig.create()).rejects.toMatchObject({
      code: 'provider_not_configured',
      details: [{ field: 'agent.ai_provider' }],
    });
  });

  it('a request is accepted if a speech-to-speech model takes the place of the unconfigured voice', async () => {
    rig.providers.ai = [
      ...rig.providers.ai,
      { name: 'openai-realtime', configured: true, speech_to_speech: true },
    ];
    await makeAgent({ ai_provider: 'openai-realtime', voice_provider: 'cartesia' });

    expect(await rig.create()).toMatchObject({ status: 'initiated' });
  });

  it('one that was accepted before fails when its time has come, and no phone rings', async () => {
    rig.providers.whenUnconfigured = 'builtin';
    await makeAgent(AWAY);
    const call = await rig.create({ scheduled_time: new Date(rig.clock.wallMs() + 60_000).toISOString() });
    rig.providers.whenUnconfigured = 'refuse';
    await rig.pass(61_000, 1_000);

    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'provider_not_configured' });
    expect(rig.carrier.placed).toEqual([]);
  });

  it('a caller is answered by the backup of such an agent', async () => {
    const backup = await makeAgent({ name: 'B', is_default: false });
    await makeAgent({ ...AWAY, backup_agent_id: backup.id });

    const reception = await rig.callService.carrierHost.receive({
      carrier: 'scripted',
      providerCallId: 'in-1',
      from: '+14155550111',
      to: '+14155550100',
    });

    expect(reception).toMatchObject({ kind: 'talk' });
    const [call] = await rig.store.read(sqlTransactions.all, { sql: 'select agent_id from calls' });
    expect(call).toEqual({ agent_id: backup.id });
  });
});
