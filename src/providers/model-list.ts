import { z } from 'zod';

/** The list of OpenAI, Anthropic and compatible servers. */
const openAiList = z.object({
  data: z.array(z.object({ id: z.string() })).min(1),
  has_more: z.boolean().nullish(),
});
/** The list of Gemini. */
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
  const chat = openAiList.safeParse(list);
  if (chat.success) return chat.data.has_more ? null : chat.data.data.map(({ id }) => id);
  const google = googleList.safeParse(list);
  if (!google.success || google.data.nextPageToken) return null;
  return google.data.models.map(({ name }) => name.replace(/^models\//, ''));
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
