import { Problem } from '#kernel/errors/errors.js';
import type { SteeringMode } from '#conversation/talk/conversation.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import type { SteeringWish } from './call-action.js';

/** How an action is done in a session, and the message of the problem if the session refuses it. */
interface Handler<Wish> {
  /** Returns false if the action is not possible now. */
  act(session: LiveSession, wish: Wish): boolean | Promise<boolean>;
  refusal: string;
}

/** The handler of each action by which a person steers a talk. */
const HANDLERS: { [Name in SteeringWish['name']]: Handler<Extract<SteeringWish, { name: Name }>> } = {
  say: {
    act: ({ steering }, wish) => steering.say(wish.text, wish),
    refusal: 'The agent cannot speak now: it was silenced, is ending the call, or has much to say already.',
  },
  context: {
    act: ({ steering }, { text }) => steering.advise(text),
    refusal: 'The agent of this call has no language model that could read the note, or is ending the call.',
  },
  mute: {
    act: ({ steering }) => steering.mute(),
    refusal: 'The agent cannot be muted now: a person speaks in its place, or the call is ending.',
  },
  unmute: {
    act: ({ steering }) => steering.unmute(),
    refusal: 'The agent cannot be unmuted now: hand the call back first.',
  },
  hold: {
    act: ({ steering }) => steering.hold(),
    refusal:
      'The caller cannot be put on hold now: somebody else talks with them, they are already, or the call is ending.',
  },
  resume: {
    act: ({ steering }) => steering.resume(),
    refusal: 'The caller is not on hold.',
  },
  whisper: {
    // Only a check: the person's words come by the audio socket `whisper`.
    act: ({ steering }) => steering.mode === 'joined',
    refusal: 'The caller is joined with nobody.',
  },
  take_over: {
    act: ({ steering }) => steering.takeOver(),
    refusal: 'The call cannot be taken over now: it is being handed over, or is ending.',
  },
  hand_back: {
    act: ({ steering }) => steering.handBack(),
    refusal: 'Nobody has taken this call over.',
  },
  transfer: {
    act: ({ steering }, { to }) => steering.transfer(to),
    refusal:
      'The line was not handed over: its carrier cannot, the number may not be called, or the call is ending.',
  },
  warm_transfer: {
    act: ({ steering }, { to, briefing, ringSeconds, stay }) =>
      steering.transferWarmly(to, { briefing, ringSeconds, stay }),
    refusal:
      'The caller cannot be transferred now: that is being done already, the agent is a speech-to-speech model, or the call is ending.',
  },
};

/**
 * Performs a person's action in a live call. Used by `CallSteering`.
 * @returns the mode of the talk after the action
 * @throws Problem `invalid_state` if the action is not possible now
 */
export async function steerSession(session: LiveSession, wish: SteeringWish): Promise<SteeringMode> {
  const { act, refusal } = HANDLERS[wish.name] as Handler<SteeringWish>;
  if (!(await act(session, wish))) throw new Problem('invalid_state', refusal);
  return session.steering.mode;
}
