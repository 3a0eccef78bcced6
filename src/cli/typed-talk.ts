import { asError } from '#kernel/errors/as-error.js';
import { createPlaybookDialogue } from '#playbook/playbook-dialogue.js';
import type { AgentBrief, DialogueManager, DialogueOutput, TurnInput } from '#dialogue/dialogue-manager.js';
import { knownVariables } from '#dialogue/known-variables.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import { UsageError, type CommandArguments, type CommandContext } from './command.js';
import type { TalkVoice } from './talk-voice.js';
import type { TalkAgent } from './talk-agent.js';

/** The recognition confidence of typed words: certain. */
const TYPED_CONFIDENCE = 1;

/** One conversation in the terminal, for the command `talk`: passes lines to the agent and prints its outputs. */
export class TypedTalk {
  /** The variables of the command line, each as a line to show: `{{name}} = Ada`. */
  readonly variables: readonly string[];
  /** True after the agent has ended the talk or transferred the caller. */
  isOver = false;
  readonly #print: CommandContext['print'];
  readonly #dialogue: DialogueManager;
  /** Null: typed lines are passed on as text. */
  readonly #voice: TalkVoice | null;
  /** The hints for the recognition of the next line. */
  #hints: RecognitionHints | null = null;
  /** The current step of the playbook. */
  #step = '';
  /** Silences in a row. */
  #silences = 0;
  #shownAnswers: Readonly<Record<string, string>> = {};

  constructor(
    agent: TalkAgent,
    { voice, context, args }: { voice: TalkVoice | null; context: CommandContext; args: CommandArguments },
  ) {
    const { config, clock, print } = context;
    const {
      number,
      workspace: _workspace,
      service: _service,
      key: _key,
      voice: _voice,
      // All other options are variables.
      ...given
    } = args.options;
    const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const calleeNumber = numberOf(number, config.defaultRegion ?? undefined);
    const timeZone = config.defaultTimezone;
    const call = { callId: 'call_talk', agentId: null, direction: 'outbound', callerNumber: null } as const;
    const known = knownVariables(
      agent.name,
      { ...call, calledNumber: calleeNumber },
      { at: clock.wallMs(), timeZone },
    );
    const brief: AgentBrief = {
      agentName: agent.name,
      initialMessage: agent.initial_message,
      systemPrompt: agent.system_prompt,
      language: agent.language,
      timeZone,
      region: agent.region,
      isReachable: calleeNumber !== null,
      variables: { ...known, ...values },
    };
    this.variables = Object.entries(values).map(([name, value]) => `{{${name}}} = ${value}`);
    this.#print = print;
    this.#voice = voice;
    const region = config.defaultRegion ?? undefined;
    this.#dialogue = createPlaybookDialogue({ clock, timeZone, region })(brief, agent.playbook, {
      onStep: (step) => (this.#step = step),
    });
  }

  /** Lets the agent begin. */
  begin(): Promise<void> {
    return this.#turn({ kind: 'opening' });
  }

  /** Handles a line of the caller; an empty line is silence. */
  async hear(line: string): Promise<void> {
    if (line === '') {
      this.#silences += 1;
      return this.#turn({ kind: 'silence', prompts: this.#silences });
    }
    const transcript = await this.#transcriptOf(line);
    if (transcript === null) return;
    this.#silences = 0;
    await this.#turn({ kind: 'heard', transcript });
  }

  /** Prints the outcome of the talk, as a call would store it, and closes the dialogue. */
  finish(): void {
    const { intent, resolutionAchieved, summary, followUp } = this.#dialogue.outcome();
    this.#print(`\nintent: ${intent ?? 'none'}   resolution_achieved: ${resolutionAchieved ?? 'unknown'}`);
    if (summary) this.#print(`summary: ${summary}`);
    if (followUp?.kind === 'call_back') this.#print(`call back: ${followUp.said || 'at no named time'}`);
    if (followUp?.kind === 'suppress') this.#print('the number goes to the suppression list');
    this.#dialogue.close?.();
  }

  /** The transcript of a line; null for a file that cannot be read. */
  async #transcriptOf(line: string): Promise<Transcript | null> {
    if (this.#voice === null) return { text: line, confidence: TYPED_CONFIDENCE };
    try {
      const heard = await this.#voice.transcribe(line, this.#hints);
      const confidence = heard.confidence.toFixed(2);
      this.#print(
        `       [heard ${heard.text === '' ? 'nothing understood' : `"${heard.text}"`}; ${confidence}]`,
      );
      return heard;
    } catch (error) {
      this.#print(`       (${asError(error).message})`);
      return null;
    }
  }

  /** Lets the agent answer an input, and shows and speaks its outputs. */
  async #turn(input: TurnInput): Promise<void> {
    const { signal } = new AbortController();
    for await (const output of this.#dialogue.turn(input, signal)) {
      this.#show(output);
      if (output.kind === 'say' || output.kind === 'text_delta') await this.#voice?.say(output.text);
    }
    this.#showUnderstood(input);
  }

  /** Prints an output of the dialogue, and notes hints and the end. */
  #show(output: DialogueOutput): void {
    if (output.kind === 'listen') this.#hints = output.hints;
    if (output.kind === 'say') this.#print(`Agent: ${output.text}`);
    else if (output.kind === 'text_delta') this.#print(`Agent: ${output.text}`);
    else if (output.kind === 'transfer') this.#print(`       (connects the caller with ${output.to})`);
    else if (output.kind === 'press') this.#print(`       (presses ${output.keys})`);
    if (output.kind === 'transfer' || output.kind === 'end') this.isOver = true;
  }

  /** Prints the answers that this turn added, and the step. */
  #showUnderstood(input: TurnInput): void {
    const { answers } = this.#dialogue.outcome();
    const newAnswers = Object.entries(answers).filter(([name, value]) => this.#shownAnswers[name] !== value);
    this.#shownAnswers = { ...answers };
    const understood = newAnswers.map(([name, value]) => `${name} = ${value}`).join(', ');
    const facts = [
      ...(input.kind === 'heard'
        ? [understood === '' ? 'nothing new understood' : `understood ${understood}`]
        : []),
      ...(this.#step === '' || this.isOver ? [] : [`step ${this.#step}`]),
    ];
    if (facts.length > 0) this.#print(`       [${facts.join('; ')}]`);
  }
}

/** The value of `--number` in E.164; null without it. @throws UsageError */
function numberOf(
  given: string | boolean | undefined,
  region?: Parameters<typeof readPhoneNumber>[1],
): string | null {
  if (given === undefined) return null;
  const number = readPhoneNumber(String(given), region);
  if (number === null) throw new UsageError('--number: is not an E.164 number such as +14155550123');
  return number;
}
