import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callAnalysis, type AnalysisInput, type Analyst, type SpokenEntry } from '#analysis/analysis.js';

export function said(speaker: SpokenEntry['speaker'], text: string, confidence = 1): SpokenEntry {
  return { speaker, text, confidence };
}

/** A call to analyse. */
export function inputOf(entries: readonly SpokenEntry[], rest: Partial<AnalysisInput> = {}): AnalysisInput {
  return { entries, answeredBy: 'person', outcome: null, language: 'en-US', ...rest };
}

/** The contract of every analyst. */
export function analysisContract(name: string, make: () => Analyst): void {
  describe(`the analysis of ${name}`, () => {
    let analyst: Analyst;
    beforeAll(() => {
      analyst = make();
    });
    afterAll(() => analyst.close());

    it('has the shape of the interface', async () => {
      const entries = [
        said('agent', 'Hello, how can I help?'),
        said('customer', 'I need an appointment.', 0.8),
      ];
      const analysis = await analyst.analyse(inputOf(entries));
      expect(callAnalysis.parse(analysis)).toEqual(analysis);
      expect(analysis.summary).not.toBe('');
      expect(analysis.intent).not.toBe('');
    });

    it('invents nothing when nothing was said', async () => {
      expect(await analyst.analyse(inputOf([]))).toMatchObject({
        sentiment: 'neutral',
        actionable_items: [],
        keywords: [],
        confidence_score: 0,
        resolution_achieved: null,
      });
    });

    it('invents nothing when only the agent spoke', async () => {
      const analysis = await analyst.analyse(inputOf([said('agent', 'Great news! We love you.')]));
      expect(analysis).toMatchObject({
        sentiment: 'neutral',
        confidence_score: 0,
        resolution_achieved: null,
      });
    });

    it('takes nothing of what a machine says for the words of a customer', async () => {
      const greeting = said('customer', 'This is terrible, please leave a message after the beep.', 0.9);
      const entries = [greeting, said('agent', 'Hello Ada, your parcel is ready.')];
      const analysis = await analyst.analyse(inputOf(entries, { answeredBy: 'machine' }));
      expect(analysis).toMatchObject({ sentiment: 'neutral', actionable_items: [], confidence_score: 0 });
    });

    it('believes the agent about what was reached', async () => {
      const outcome = { intent: 'rate', resolutionAchieved: false, answers: { rating: 'bad' } };
      const analysis = await analyst.analyse(inputOf([said('customer', 'It was bad.', 0.7)], { outcome }));
      expect(analysis).toMatchObject({ intent: 'rate', resolution_achieved: false });
    });

    it('takes many calls at once, each with its own answer', async () => {
      const scores = [0.1, 0.5, 0.9];
      const analyses = await Promise.all(
        scores.map((score) => analyst.analyse(inputOf([said('customer', 'Yes.', score)]))),
      );
      expect(analyses.map((analysis) => analysis.confidence_score)).toEqual(scores);
    });

    it('can be closed twice, and then refuses', async () => {
      const other = make();
      await other.analyse(inputOf([]));
      await other.close();
      await other.close();
      await expect(other.analyse(inputOf([]))).rejects.toThrow('closed');
    });
  });
}
