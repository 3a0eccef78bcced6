import { z } from 'zod';

const ofChat = z.object({
  data: z.array(z.object({ id: z.string() })).min(1),
  has_more: z.boolean().nullish(),
});
const ofGoogle = z.object({
  models: z.array(z.object({ name: z.string() })).min(1),
  nextPageToken: z.string().nullish(),
});

/** The model names in a vendor's list; null if the body is no list or only a part of one. */
export function listedModels(body: string): string[] | null {
  const list = parsed(body);
  const chat = ofChat.safeParse(list);
  if (chat.success) return chat.data.has_more ? null : chat.data.data.map(({ id }) => id);
  const google = ofGoogle.safeParse(list);
  if (!google.success || google.data.nextPageToken) return null;
  return google.data.models.map(({ name }) => name.replace(/^models\//, ''));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
