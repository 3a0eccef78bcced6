import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startThread } from '#kernel/system/thread.js';
import { createAnalyst } from '#analysis/analyst.js';
import { analysisContract, inputOf, said } from '#test/contracts/analysis.js';
import { createMemoryLog } from '#test/support/memory-log.js';

analysisContract('the built-in rules', () => createAnalyst({ log: createMemoryLog().log }));

describe('the thread of the analysis', () => {
  it('is started by the first call, and again after it died', async () => {
    const threads: Worker[] = [];
    const { log, lines } = createMemoryLog();
    const analyst = createAnalyst({
      log,
      start: (...place) => {
        const thread = startThread(...place);
        threads.push(thread);
        return thread;
      },
    });
    onTestFinished(() => analyst.close());
    expect(threads).toHaveLength(0);
    await analyst.analyse(inputOf([]));
    const owed = analyst.analyse(inputOf([said('customer', 'Yes.')]));
    const [answer] = await Promise.allSettled([owed, threads[0]!.terminate()]);
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: { message: 'the thread of the analysis died' },
    });
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'thread died', thread: 'analysis' }));
    expect((await analyst.analyse(inputOf([]))).summary).toBe('Nothing was said.');
    expect(threads).toHaveLength(2);
  });

  it('leaves nobody waiting when it is closed', async () => {
    const analyst = createAnalyst({ log: createMemoryLog().log });
    const owed = analyst.analyse(inputOf([]));
    const [answer] = await Promise.allSettled([owed, analyst.close()]);
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: { message: 'the thread of the analysis is closed' },
    });
  });
});

describe('the built-in analysis', () => {
  const analyst = createAnalyst({ log: createMemoryLog().log });
  afterAll(() => analyst.close());

  it('tells a call about an appointment', async () => {
    const analysis = await analyst.analyse(
      inputOf(
        [
          said('agent', 'Hello Ada, this is the clinic, calling about your appointment tomorrow at ten.'),
          said('agent', 'Will you come to your appointment?'),
          said('customer', 'Yes, I will be there. That is great, thank you.', 0.9),
          said('agent', 'Shall we send you a text message as a reminder?'),
          said('customer', 'Yes please, and could you please email me the address of the new clinic?', 0.8),
          said('agent', 'We will send you a text message. Goodbye.'),
        ],
        {
          outcome: {
            intent: 'confirm_appointment',
            resolutionAchieved: true,
            answers: { coming: 'yes', text_reminder: 'yes' },
            summary: 'Ada confirmed the appointment.',
          },
        },
      ),
    );
    expect(analysis).toEqual({
      summary:
        'Ada confirmed the appointment. Answers: coming: yes; text reminder: yes. The customer said: ' +
        '“Yes please, and could you please email me the address of the new clinic?”',
      sentiment: 'positive',
      intent: 'confirm_appointment',
      actionable_items: [
        'Email the customer the address of the new clinic',
        'Send the customer a text message',
      ],
      keywords: expect.arrayContaining(['clinic', 'appointment', 'address']),
      confidence_score: 0.85,
      resolution_achieved: true,
    });
  });

  it.each([
    [['That is wonderful, thank you so much.'], 'positive'],
    [['Yes.', 'No.', 'The morning please.'], 'neutral'],
    [['This is not acceptable, I am very unhappy.'], 'negative'],
    [['Stop calling me.'], 'negative'],
    // How they leave counts more than how they came.
    [['Good.', 'That is okay.', 'This is terrible, a waste of my time.'], 'negative'],
    [['No problem.'], 'neutral'],
    [['no problem at all'], 'neutral'],
    [['no worries'], 'neutral'],
    [['no complaints from me'], 'neutral'],
    [['I had no problems with the delivery'], 'neutral'],
    [["i don't have any complaints"], 'neutral'],
    [['no trouble at all'], 'neutral'],
    [['no harm done'], 'neutral'],
    [['no doubt'], 'neutral'],
    [['no worries thank you so much'], 'positive'],
    [["couldn't agree more"], 'positive'],
    [['it could not be better'], 'positive'],
    [['no problem but the service was terrible'], 'negative'],
    [['I have a problem with my order'], 'negative'],
    [['I want to complain'], 'negative'],
    [['I am not happy'], 'negative'],
  ])('hears in %j a %s customer', async (turns, sentiment) => {
    const entries = turns.map((text) => said('customer', text, 0.9));
    expect((await analyst.analyse(inputOf(entries))).sentiment).toBe(sentiment);
  });

  it.each([
    ['customer', 'Please call me back tomorrow.', ['Call the customer back tomorrow']],
    ['customer', 'Please do not call me again.', []],
    ['customer', "Don't ever call me again, and never text me about it.", []],
    ['customer', 'I want you to cancel my order, thanks.', ["Cancel the customer's order"]],
    ['customer', 'Can you tell your boss?', ['Tell your boss']],
    ['customer', 'I will be there.', []],
    ['customer', "I don't need you to send me anything.", []],
    ['customer', "i don't want you to call me about that", []],
    ['customer', 'I never asked, so I no longer need you to order it.', []],
    ['customer', "i don't think i need you to change it", []],
    ['customer', 'I told you not to call me back.', []],
    ['customer', "you can't call me at ten at night", []],
    ['customer', 'why do you call me at work', []],
    ['customer', 'you said you would call me back', []],
    ['customer', 'how could you tell him my address', []],
    ['customer', "i can't come call me tomorrow", ['Call the customer tomorrow']],
    ['customer', "I don't have time, please send me an email.", ['Send the customer an email']],
    ['customer', 'i need you to send me the bill', ['Send the customer the bill']],
    ['customer', 'ring me on monday', ['Ring the customer on monday']],
    ['customer', "why don't you call me back on monday", ['Call the customer back on monday']],
    ['customer', 'She will send it.', []],
    ['agent', "I'll check your file; we will call you on Monday.", ["Check the customer's file"]],
    ['agent', 'Shall we send you a text message?', []],
    ['agent', 'I will not keep you.', []],
  ] as const)('reads from the %s “%s” what is to be done', async (speaker, text, items) => {
    const analysis = await analyst.analyse(inputOf([said(speaker, text)]));
    expect(analysis.actionable_items).toEqual(items);
  });

  it('passes on that somebody wants no more calls', async () => {
    const outcome = { intent: 'do_not_call', resolutionAchieved: false, answers: {} };
    const analysis = await analyst.analyse(inputOf([said('customer', 'Never call again!')], { outcome }));
    expect(analysis.actionable_items[0]).toBe('Do not call the customer again');
  });

  it('says so when the customer could not be understood', async () => {
    const entries = [said('agent', 'Hello?'), said('customer', '', 0)];
    expect(await analyst.analyse(inputOf(entries))).toMatchObject({
      summary: 'The customer spoke but could not be understood.',
      confidence_score: 0,
    });
  });

  it.each([
    [[], 'An answering machine picked up.'],
    [
      [said('agent', 'Hello?'), said('agent', 'Please call us back.')],
      'An answering machine picked up. The agent said: “Please call us back.”',
    ],
  ])('says so when a machine has answered %j', async (words, summary) => {
    const entries = [said('customer', 'Please leave a message.'), ...words];
    const analysis = await analyst.analyse(inputOf(entries, { answeredBy: 'machine' }));
    expect(analysis.summary).toBe(summary);
  });

  it('weighs no words of a language that it does not know', async () => {
    const entries = [said('customer', 'Die Praxis ist wunderbar, great.', 0.9)];
    expect(await analyst.analyse(inputOf(entries, { language: 'de-DE' }))).toMatchObject({
      sentiment: 'neutral',
      keywords: [],
      confidence_score: 0.9,
    });
  });
});
