import type {
  AgentPorts,
  Conversation,
  ConversationOptions,
  RealtimePorts,
} from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { LiveConversation } from './live-conversation.js';
import { RealtimeConversation } from './realtime/realtime-conversation.js';

/**
 * Starts the conversation of an answered call: a `RealtimeConversation` for an agent with a speech-to-speech model, and
 * a `LiveConversation` for all others. Playing starts with the first tick: the call's first frame makes it, or the
 * pacing timer if no frame arrives. `openModules` gives this function to the calls module.
 */
export function startConversation(
  options: ConversationOptions<AgentPorts | RealtimePorts>,
  parts: ConversationParts,
): Conversation {
  const { agent, ...talk } = options;
  return 'realtime' in agent
    ? new RealtimeConversation({ ...talk, agent }, parts)
    : new LiveConversation({ ...talk, agent }, parts);
}
