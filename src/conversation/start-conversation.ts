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
 * Starts to talk at once: the agent's first turn begins with the first tick, which is made by the caller's first
 * frame or, when none comes, by the pacing timer.
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
