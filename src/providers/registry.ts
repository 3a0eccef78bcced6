import { anthropic } from '#providers/anthropic/anthropic.js';
import { azure } from '#providers/azure/azure.js';
import { cartesia } from '#providers/cartesia/cartesia.js';
import { custom } from '#providers/custom/custom.js';
import { google } from '#providers/google/google.js';
import { assemblyai } from '#providers/assemblyai/assemblyai.js';
import { deepgram } from '#providers/deepgram/deepgram.js';
import { elevenlabs } from '#providers/elevenlabs/elevenlabs.js';
import { compatibleProviders } from '#providers/openai-compatible/openai-compatible.js';
import { ttsServers } from '#providers/openai-compatible/tts-servers.js';
import { openai } from '#providers/openai/openai.js';
import type { ProviderDefinition } from './provider-definition.js';

/**
 * Every provider that the service comes with, except the built-in one, in the order of the documentation. The settings,
 * `Models`, `SpeechProviders` and `Voices` take their providers from this list; `Models` adds the packages that the
 * operator has installed. A new provider adds one entry here.
 */
export const PROVIDERS: readonly ProviderDefinition[] = [
  openai,
  anthropic,
  google,
  azure,
  ...compatibleProviders,
  ...ttsServers,
  custom,
  deepgram,
  assemblyai,
  elevenlabs,
  cartesia,
];
