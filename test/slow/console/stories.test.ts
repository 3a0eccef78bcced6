import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER, SHORT_AGENT, startConsole, type ConsoleRig } from '#test/support/console-rig.js';
import { drawn } from '#test/support/tier.js';
import { TEST_KEY } from '#test/support/test-service.js';

const YES_PLEASE = new URL('../../support/sounds/yes-please.wav', import.meta.url);

const LONG_QUESTION =
  'Shall we come today, or would tomorrow in the afternoon, say at four, suit you better?';
/** In the midst of that question. */
const CUT_AFTER_MS = 1_500;

const PEOPLE = `phone_number,name,order
+15550100009,Ada,"cakes, two"
+15550100005,Sam,bread
12,Nobody,nothing
+15550100009,Ada,cakes
`;

/** Its name, and what it does at the pace of speech: one of each kind is drawn. */
type Story = readonly [name: string, story: () => Promise<void>];

describe.skipIf(NO_BROWSER)(`the console in a browser${NO_BROWSER ? ` (${NO_BROWSER})` : ''}`, () => {
  let rig: ConsoleRig;
  let agentId: string;

  beforeAll(async () => {
    rig = await startConsole(YES_PLEASE);
    const { body } = await rig.service.request('POST', '/api/agents', SHORT_AGENT);
    agentId = (body as { id: string }).id;
  });
  afterAll(() => rig?.close());
  afterEach(() => expect(rig.complaints.splice(0)).toEqual([]));

  it('is signed in to with a key, and refuses a wrong one', async () => {
    const page = await rig.open('');
    expect(page.url()).not.toContain('key');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill('cw_live_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.wrong').waitFor();
    await page.getByLabel('API key').fill(TEST_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().close();
    // Browsers report refused requests as errors, however they are handled.
    const refused = rig.complaints.filter((complaint) => complaint.includes('401'));
    expect(refused.length).toBeGreaterThan(0);
    rig.complaints.splice(
      0,
      rig.complaints.length,
      ...rig.complaints.filter((one) => !refused.includes(one)),
    );
  });

  it('takes a table of people to its results', async () => {
    const page = await rig.open('/batches/new');
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(PEOPLE) };
    await page.getByLabel('Table of people').setInputFiles(file);
    await page.getByRole('region', { name: 'Rows that do not fit' }).waitFor();
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: SHORT_AGENT.name });
    await page.getByRole('button', { name: 'Look ahead' }).click();
    await page.getByRole('button', { name: /^Call \d/ }).click();
    await page.getByText(/(\d) numbers of \1 done/).waitFor();
    await page.getByRole('link', { name: 'Ada' }).first().waitFor();
    await page.getByRole('link', { name: 'Results as CSV' }).waitFor();
    await page.context().close();
  });

  /** Talks with an agent, on the page for them. */
  const TALKS: readonly Story[] = [
    [
      'talks with an agent by microphone; the call then shows its words, times and sound',
      async () => {
        const page = await rig.open(`/talk?agent=${agentId}`);
        await page.getByRole('button', { name: 'Start talking' }).click();
        await page.locator('.sentence.agent').first().waitFor();
        await page.locator('.steps .now').waitFor();
        await page.locator('.sentence.customer', { hasText: 'yes' }).first().waitFor();
        await page.getByText('The call is over').waitFor();
        await page.getByRole('link', { name: 'Open the call' }).click();
        await page.locator('.sentence.agent', { hasText: 'We are on our way' }).waitFor();
        await page.getByRole('slider', { name: 'Place in the recording' }).waitFor();
        await page.locator('.waterfall .first').first().waitFor({ state: 'attached' });
        await page.getByRole('button', { name: /Shall we come/ }).click();
        await page.getByRole('button', { name: 'Pause' }).waitFor();
        await page.context().close();
      },
    ],
    [
      'types to an agent instead of speaking',
      async () => {
        const page = await rig.open(`/talk?agent=${agentId}`);
        await page.getByLabel('Type instead of speaking').check();
        await page.getByRole('button', { name: 'Start talking' }).click();
        await page.locator('.sentence.agent', { hasText: 'Shall we come' }).waitFor();
        await page.getByLabel('Type your turn').fill('no thanks');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('.sentence.agent', { hasText: 'Then not' }).waitFor();
        await page.context().close();
      },
    ],
    [
      'talks with an agent before it is saved, and says beside a field what is wrong with it',
      async () => {
        const page = await rig.open('/agents/new');
        await page.getByRole('button', { name: 'Talk' }).click();
        await page.getByLabel('Type instead of speaking').check();
        const greeting = page.getByLabel('Greeting');
        const usual = await greeting.inputValue();
        await greeting.fill('Hello {{name, this is nobody.');
        await page.getByRole('button', { name: 'Start talking' }).click();
        await page.locator('.field', { has: greeting }).locator('.wrong', { hasText: 'braces' }).waitFor();
        await greeting.fill(usual);
        await page.getByRole('button', { name: 'Start talking' }).click();
        await page.locator('.sentence.agent', { hasText: 'still suit you' }).waitFor();
        await page.locator('.steps .now', { hasText: 'ask' }).waitFor();
        await page.getByLabel('Type your turn').fill('yes');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.locator('.sentence.agent', { hasText: 'see you then' }).waitFor();
        await page.getByRole('link', { name: 'Open the call' }).click();
        await page.getByText('Unsaved agent (not saved)').waitFor();
        await page.context().close();
        const { body } = await rig.service.request('GET', '/api/agents?q=Unsaved');
        expect(body).toMatchObject({ data: [] });
        // Browsers report refused requests as errors, however they are handled.
        expect(rig.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
      },
    ],
    [
      'shows in grey what the caller did not hear, and runs the analysis again',
      async () => {
        const steps = {
          ...SHORT_AGENT.playbook.steps,
          ask: { ...SHORT_AGENT.playbook.steps.ask, text: LONG_QUESTION },
        };
        const agent = { name: 'Long question', playbook: { start: 'ask', steps } };
        const { body } = await rig.service.request('POST', '/api/agents', agent);
        const page = await rig.open(`/talk?agent=${(body as { id: string }).id}`);
        await page.getByLabel('Type instead of speaking').check();
        await page.getByRole('button', { name: 'Start talking' }).click();
        await page.locator('.agent-state.speaking').waitFor();
        await page.waitForTimeout(CUT_AFTER_MS);
        await page.getByRole('button', { name: 'Hang up' }).click();
        await page.getByRole('link', { name: 'Open the call' }).click();
        await page.locator('.sentence.agent .unheard', { hasText: 'suit you better' }).waitFor();
        await page.getByRole('button', { name: 'Run the analysis again' }).click();
        await page.getByText('The call is analysed again').waitFor();
        await page.context().close();
      },
    ],
  ];

  /** What the page of an agent is for. */
  const AGENTS: readonly Story[] = [
    [
      'makes an agent and changes a step of its playbook',
      async () => {
        const page = await rig.open('/agents/new');
        await page.getByLabel('Name', { exact: true }).fill('Dentist');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.waitForURL(/agents\/agent_/);
        await page.locator('.picture .box').first().waitFor();
        await page.locator('.step-list button', { hasText: 'kept' }).click();
        await page.getByLabel('Says', { exact: true }).fill('Good. See you then.');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('button', { name: 'Saved' }).waitFor();
        await page.reload();
        await page.locator('.step-list', { hasText: 'See you then' }).waitFor();
        await page.context().close();
      },
    ],
    [
      'hears a voice before an agent is saved with it',
      async () => {
        const page = await rig.open('/agents/new');
        await page.getByRole('tab', { name: 'Voice and hearing' }).click();
        // A text field until the voices of the provider are known.
        await page.getByLabel('Voice', { exact: true }).and(page.locator('select')).selectOption('rms');
        await page.getByRole('button', { name: 'Hear it' }).click();
        await page.getByRole('button', { name: 'Stop' }).waitFor();
        await page.context().close();
      },
    ],
  ];

  /** What an operator does in a live call. */
  const LIVE_CALLS: readonly Story[] = [
    [
      'listens to a live call, takes it over with the microphone and hands it back',
      async () => {
        const body = { agent_id: agentId, to_number: '+15550100003', customer_data: { name: 'Quiet' } };
        const placed = await rig.service.request('POST', '/outbound-call', body);
        const { call_id: callId } = placed.body as { call_id: string };
        const page = await rig.open(`/calls/${callId}`);
        await page.getByRole('button', { name: 'Listen' }).click();
        await page.getByRole('button', { name: 'Take over' }).click();
        await page.getByRole('img', { name: 'Level of your microphone' }).waitFor();
        await page.locator('.sentence.agent .who', { hasText: 'Operator' }).first().waitFor();
        await page.getByRole('button', { name: 'Hand back' }).click();
        await page.getByRole('button', { name: 'Take over' }).waitFor();
        await page.getByRole('button', { name: 'End the call' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'End the call' }).click();
        await page.getByRole('button', { name: 'Erase' }).waitFor();
        await page.context().close();
      },
    ],
    [
      'puts a caller on hold, and has them joined with a person who is asked first',
      async () => {
        const body = { agent_id: agentId, to_number: '+15550100003', customer_data: { name: 'Patient' } };
        const placed = await rig.service.request('POST', '/outbound-call', body);
        const { call_id: callId } = placed.body as { call_id: string };
        const page = await rig.open(`/calls/${callId}`);
        await page.getByRole('button', { name: 'Listen' }).click();
        await page.getByRole('button', { name: 'Hold', exact: true }).click();
        await page.locator('.badge', { hasText: 'On hold' }).waitFor();
        await page.getByLabel('Transfer to').fill('+15550109999');
        await page.getByLabel('Briefing').fill('A patient is on the line.');
        await page.getByRole('button', { name: 'Transfer', exact: true }).click();
        const asked = page.getByRole('list', { name: 'People who were asked' });
        await asked.getByRole('link', { name: '+15550109999' }).waitFor();
        await page.locator('.badge', { hasText: 'Joined with a person' }).waitFor();
        await page.getByRole('button', { name: 'Whisper to the joined person' }).click();
        await page.getByRole('img', { name: 'Level of your microphone' }).waitFor();
        await page.getByRole('button', { name: 'Stop whispering' }).click();
        await page.getByRole('button', { name: 'End the call' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'End the call' }).click();
        await page.getByRole('button', { name: 'Erase' }).waitFor();
        await asked.waitFor({ state: 'detached' });
        await page.context().close();
      },
    ],
  ];

  it.each([...drawn(1, TALKS), ...drawn(1, AGENTS), ...drawn(1, LIVE_CALLS)])('%s', (_, story) => story());
});
