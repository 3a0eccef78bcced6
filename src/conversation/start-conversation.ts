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
 * Starts a conversation at once. The agent's first turn begins with the first tick, which comes from the call's first
 * frame or, without one, from the pacing timer.
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
