import { openAiSource } from '#providers/openai/openai.js';
import { commonSettings, type ProviderDefinition } from '#providers/provider-definition.js';

/**
 * The provider Azure OpenAI: OpenAI's protocol with another address and another header for the key. A model is named by
 * the customer's deployment of it. Agents choose it as `ai_provider`.
 */
export const azure: ProviderDefinition = {
  name: 'azure',
  prefix: 'AZURE',
  settings: {
    ...commonSettings('Azure OpenAI', { baseUrl: null, model: null }),
    BASE_URL: {
      docs: 'Address of the resource, such as https://example.openai.azure.com/openai/v1.',
      fallback: null,
    },
    MODEL: { docs: 'Deployment for agents that name none.', fallback: null },
  },
  configuredBy: [['API_KEY', 'BASE_URL']],
  model: {
    defaultModel: ({ MODEL }) => MODEL ?? null,
    open: (model, choice, settings, parts) => {
      const headers = { authorization: null, 'api-key': settings['API_KEY'] ?? null, ...choice.headers };
      const baseUrl = settings['BASE_URL'] ?? '';
      return openAiSource(
        { provider: 'azure', model, choice, baseUrl, headers, reasonsWhenAsked: true },
        parts,
      );
    },
    load: () => import('@ai-sdk/openai'),
    checkRequest: ({ BASE_URL, API_KEY }) => ({
      url: `${BASE_URL ?? ''}/models`,
      headers: { 'api-key': API_KEY ?? '' },
      // Requests name deployments, while the list names models.
      hasOtherNames: true,
    }),
  },
};
