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
 * Starts the conversation of a call that was answered, at once: of the kind that the agent's ports are for. The agent's
 * first turn begins with the first tick, which the call's first frame makes or, without a frame, the pacing timer.
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
