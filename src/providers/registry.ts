import { anthropic } from './anthropic/anthropic.js';
import { azure } from './azure/azure.js';
import { custom } from './custom/custom.js';
import { google } from './google/google.js';
import { compatibleProviders } from './openai-compatible/openai-compatible.js';
import { openai } from './openai/openai.js';
import type { ProviderDefinition } from './provider-definition.js';

/** Every provider that comes with the service, one line each, in the order in which the documentation shows them. */
export const PROVIDERS: readonly ProviderDefinition[] = [
  openai,
  anthropic,
  google,
  azure,
  ...compatibleProviders,
  custom,
];
