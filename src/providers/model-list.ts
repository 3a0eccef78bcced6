import { z } from 'zod';

/** The answer of OpenAI, Anthropic and compatible servers. */
const openAiList = z.object({
  data: z.array(z.object({ id: z.string() })).min(1),
  has_more: z.boolean().nullish(),
});
/** The answer of Google, for Gemini. */
const googleList = z.object({
  models: z.array(z.object({ name: z.string() })).min(1),
  nextPageToken: z.string().nullish(),
});

/**
 * The model names in a vendor's answer to a request for its models, in OpenAI's or Google's format. Null if the body is
 * no list, or only its first page. `Models.check` looks for the default model in it.
 */
export function modelNamesIn(body: string): string[] | null {
  const list = parseJson(body);
  const openAi = openAiList.safeParse(list);
  if (openAi.success) return openAi.data.has_more ? null : openAi.data.data.map(({ id }) => id);
  const google = googleList.safeParse(list);
  if (!google.success || google.data.nextPageToken) return null;
  // Google prefixes each name: `models/gemini-2.5-flash`.
  return google.data.models.map(({ name }) => name.replace(/^models\//, ''));
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
