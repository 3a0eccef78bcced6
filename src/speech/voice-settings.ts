import { z } from 'zod';

/** The schema of an agent's voice settings in the API; a voice ignores settings that it does not have. */
export const voiceSettings = z.object({
  model: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullish()
    .meta({ description: "The model of `voice_provider`; null for the provider's default." }),
  speed: z
    .number()
    .min(0.25)
    .max(4)
    .nullish()
    .meta({ description: '1 is usual; each provider has limits of its own, to which it is held.' }),
  normalise: z.boolean().nullish().meta({
    description: 'False: the voice is given texts as they are written, figures and markup included.',
  }),
  stability: z.number().min(0).max(1).nullish().meta({ description: 'For `elevenlabs`.' }),
  similarity_boost: z.number().min(0).max(1).nullish().meta({ description: 'For `elevenlabs`.' }),
  style: z.number().min(0).max(1).nullish().meta({ description: 'For `elevenlabs`.' }),
  instructions: z
    .string()
    .max(1_000)
    .nullish()
    .meta({ description: 'For `openai`: how to speak, in words. Not for tts-1.' }),
});

/** The requested speed, limited to a provider's range; null for the provider's default. For the adapters of voices. */
export function speedWithin(
  { speed = null }: VoiceSettings,
  { slowest, fastest }: { slowest: number; fastest: number },
): number | null {
  return speed === null ? null : Math.min(fastest, Math.max(slowest, speed));
}

export type VoiceSettings = z.output<typeof voiceSettings>;
