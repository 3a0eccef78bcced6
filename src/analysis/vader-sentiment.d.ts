/* The types of the package vader-sentiment, a sentiment lexicon for English, which has none of its own. */
declare module 'vader-sentiment' {
  const vader: {
    SentimentIntensityAnalyzer: {
      /** Scores a text; `compound` is the overall score, from −1 (negative) to 1. */
      polarity_scores(text: string): { neg: number; neu: number; pos: number; compound: number };
    };
  };
  export default vader;
}
