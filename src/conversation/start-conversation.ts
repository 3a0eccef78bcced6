import type { Conversation, ConversationOptions } from '#conversation/talk/conversation.js';
import type { ConversationParts } from '#conversation/talk/conversation-parts.js';
import { LiveConversation } from './live-conversation.js';

/**
 * Starts to talk at once: the agent's first turn begins with the first tick, which is made by the caller's first
 * frame or, when none comes, by the wheel.
 * @throws what the thinking's `open` throws
 */
export function startConversation(options: ConversationOptions, parts: ConversationParts): Conversation {
  return new LiveConversation(options, parts);
}
