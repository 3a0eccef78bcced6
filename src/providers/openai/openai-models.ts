/** The default reasoning effort of an OpenAI model, by its name; null for models that do not reason or are unknown. */
function defaultEffort(model: string): string | null {
  if (/^o\d/.test(model)) return 'low';
  const version = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(model);
  // Models before GPT-5 do not reason, and its chat variants take no effort.
  if (version === null || Number(version[1]) < 5 || version[3]?.startsWith('chat')) return null;
  // A caller waits for the first word: the least reasoning that the model supports.
  return Number(version[1]) === 5 && version[2] === undefined ? 'minimal' : 'none';
}

/** Models that refuse `reasoning_effort` together with tools in chat completions. */
const NO_EFFORT_WITH_TOOLS = /^gpt-5\.(2|4)(-|$)/;

/**
 * The reasoning effort to request from an OpenAI model, at OpenAI or Azure (`openAiSource`); null for a request without
 * an effort.
 * @param wanted the agent's setting; null for the least that the model supports
 */
export function reasoningEffortFor(model: string, wanted: string | null, hasTools: boolean): string | null {
  if (hasTools && NO_EFFORT_WITH_TOOLS.test(model)) return null;
  return wanted ?? defaultEffort(model);
}
