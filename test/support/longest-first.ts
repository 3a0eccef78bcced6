import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, in seconds on two cores. Only their order matters: the others are shorter. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/slow/crash/shared-calls.test.ts': 110,
  'test/slow/service/stored-recordings.test.ts': 90,
  'test/slow/crash/call-kill.test.ts': 75,
  'test/slow/crash/upload-kill.test.ts': 75,
  'test/slow/crash/recording-takeover.test.ts': 75,
  'test/slow/console/stories.test.ts': 75,
  'test/slow/service/demonstration.test.ts': 70,
  'test/slow/service/documented-tour.test.ts': 65,
  'test/slow/telephony/transfers.test.ts': 65,
  'test/slow/service/two-commands.test.ts': 60,
  'test/slow/crash/dial-kill.test.ts': 55,
  'test/slow/telephony/lost-and-found.test.ts': 53,
  'test/slow/speech/spoken-surroundings.test.ts': 50,
  'test/slow/crash/originator-failpoints.test.ts': 50,
  'test/slow/crash/schedule-kill.test.ts': 50,
  'test/slow/console/pages.test.ts': 45,
  'test/slow/speech/telephone-speech.test.ts': 44,
  'test/slow/service/batch-of-200.test.ts': 40,
  'test/slow/engines/postgres-store.test.ts': 35,
  'test/slow/service/ends-in-mid-sentence.test.ts': 35,
  'test/slow/crash/webhook-kill.test.ts': 35,
  'test/slow/speech/refusals.test.ts': 30,
  'test/slow/speech/spoken-trouble.test.ts': 30,
  'test/slow/telephony/warm-transfers.test.ts': 30,
  'test/slow/console/docs-pages.test.ts': 28,
  'test/slow/commands/doctor.test.ts': 28,
  'test/slow/speech/vendor-pairs.test.ts': 26,
  'test/slow/engines/live-actions.test.ts': 25,
  'test/slow/crash/database-crash.test.ts': 25,
  'test/slow/speech/everyday-phrases.test.ts': 24,
  'test/slow/engines/batches.test.ts': 22,
  'test/slow/commands/dev.test.ts': 22,
  'test/slow/commands/hold.test.ts': 22,
  'test/slow/commands/cli.test.ts': 22,
  'test/slow/telephony/twilio-like-calls.test.ts': 22,
  'test/slow/engines/postgres-silence.test.ts': 20,
  'test/slow/crash/transfer-kill.test.ts': 20,
  'test/slow/console/hostile.test.ts': 20,
  'test/e2e/spoken-call.test.ts': 35,
  'test/e2e/warm-transfer.test.ts': 34,
  'test/e2e/twilio-calls.test.ts': 27,
  'test/integration/providers/voices.test.ts': 25,
  'test/integration/calls/dial-failpoints.test.ts': 25,
  'test/integration/store/sqlite-store.test.ts': 21,
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
