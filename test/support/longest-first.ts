import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, in seconds of a whole run on two cores. Only their order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/slow/console/stories.test.ts': 134,
  'test/slow/telephony/transfers.test.ts': 108,
  'test/slow/service/two-commands.test.ts': 105,
  'test/slow/telephony/lost-and-found.test.ts': 99,
  'test/slow/telephony/twilio-like-calls.test.ts': 89,
  'test/slow/console/pages.test.ts': 86,
  'test/slow/crash/recording-takeover.test.ts': 85,
  'test/slow/crash/shared-calls.test.ts': 80,
  'test/slow/commands/doctor.test.ts': 78,
  'test/slow/crash/call-kill.test.ts': 75,
  'test/slow/crash/dial-kill.test.ts': 75,
  'test/slow/crash/upload-kill.test.ts': 70,
  'test/slow/service/stored-recordings.test.ts': 60,
  'test/slow/commands/cli.test.ts': 56,
  'test/slow/service/demonstration.test.ts': 55,
  'test/slow/telephony/warm-transfers.test.ts': 50,
  'test/slow/commands/dev.test.ts': 48,
  'test/slow/crash/schedule-kill.test.ts': 45,
  'test/slow/speech/spoken-trouble.test.ts': 33,
  'test/slow/speech/telephone-speech.test.ts': 31,
  'test/slow/service/ends-in-mid-sentence.test.ts': 30,
  'test/slow/console/hostile.test.ts': 30,
  'test/slow/speech/refusals.test.ts': 30,
  'test/slow/telephony/plivo-calls.test.ts': 30,
  'test/slow/telephony/vonage-calls.test.ts': 30,
  'test/slow/commands/hold.test.ts': 28,
  'test/slow/console/docs-pages.test.ts': 28,
  'test/slow/engines/postgres-store.test.ts': 27,
  'test/slow/engines/live-actions.test.ts': 26,
  'test/slow/crash/webhook-kill.test.ts': 25,
  'test/slow/speech/free-answers.test.ts': 24,
  'test/slow/telephony/telnyx-calls.test.ts': 24,
  'test/slow/commands/taken-port.test.ts': 23,
  'test/slow/telephony/jambonz-calls.test.ts': 23,
  'test/slow/crash/originator-failpoints.test.ts': 22,
  'test/slow/commands/restored-batches.test.ts': 22,
  'test/slow/engines/postgres-silence.test.ts': 22,
  'test/slow/commands/setup.test.ts': 21,
  'test/slow/speech/judged-calls.test.ts': 21,
  'test/slow/speech/spoken-values.test.ts': 21,
  'test/slow/crash/database-crash.test.ts': 20,
  'test/slow/telephony/pressed-keys.test.ts': 20,
};

/** Starts the files that take longest first: one that starts last keeps a worker busy while the others have no work. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const secondsOf = ({ moduleId }: TestSpecification) => SECONDS[relative(root, moduleId)] ?? 0;
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(b) - secondsOf(a));
  }
}
