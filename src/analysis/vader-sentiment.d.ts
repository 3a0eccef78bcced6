declare module 'vader-sentiment' {
  const vader: {
    SentimentIntensityAnalyzer: {
      /** `compound` runs from −1 to 1. */
      polarity_scores(text: string): { neg: number; neu: number; pos: number; compound: number };
    };
  };
  export default vader;
}
