import type { ConversationObserver } from '#conversation/talk/conversation.js';
import { conversationContract } from '#test/contracts/conversation.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { ScriptedConversation } from '#test/support/scripted-conversation.js';
import { listen, say, startTalk } from '#test/support/scripted-talk.js';

conversationContract('of the service', () => {
  const talk = startTalk({ script: [[say('Hello, who is there?'), listen]] });
  return { conversation: talk.conversation, pass: talk.wait, nowMs: () => talk.clock.wallMs() };
});

conversationContract('of a script', () => {
  const clock = new FakeClock();
  const observer = {} as ConversationObserver;
  const conversation = new ScriptedConversation({ observer, transfer: async () => false }, clock);
  return { conversation, pass: (durationMs) => clock.advance(durationMs), nowMs: () => clock.wallMs() };
});
