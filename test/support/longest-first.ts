import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, in seconds of a whole run on two cores. Only their order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/slow/crash/shared-calls.test.ts': 152,
  'test/slow/crash/recording-takeover.test.ts': 132,
  'test/slow/service/two-commands.test.ts': 69,
  'test/slow/crash/dial-kill.test.ts': 66,
  'test/slow/console/stories.test.ts': 66,
  'test/slow/crash/call-kill.test.ts': 61,
  'test/slow/telephony/carrier-calls.test.ts': 59,
  'test/slow/service/batch-of-200.test.ts': 50,
  'test/slow/service/stored-recordings.test.ts': 49,
  'test/slow/commands/dev.test.ts': 44,
  'test/slow/service/demonstration.test.ts': 39,
  'test/slow/service/ends-in-mid-sentence.test.ts': 38,
  'test/slow/crash/upload-kill.test.ts': 38,
  'test/slow/crash/schedule-kill.test.ts': 36,
  'test/slow/commands/doctor.test.ts': 33,
  'test/slow/telephony/warm-transfers.test.ts': 32,
  'test/slow/console/hostile.test.ts': 32,
  'test/slow/engines/live-actions.test.ts': 30,
  'test/slow/speech/judged-calls.test.ts': 29,
  'test/slow/console/pages.test.ts': 28,
  'test/slow/commands/cli.test.ts': 25,
  'test/slow/load/stopped-start.test.ts': 24,
  'test/slow/telephony/lost-and-found.test.ts': 23,
  'test/slow/speech/refusals.test.ts': 23,
  'test/slow/console/docs-pages.test.ts': 23,
  'test/slow/real-time/ten-thousand-strangers.test.ts': 22,
  'test/slow/engines/postgres-silence.test.ts': 22,
  'test/unit/schedules/recurrence.test.ts': 20,
  'test/slow/engines/postgres-store.test.ts': 20,
  'test/slow/crash/database-crash.test.ts': 20,
  'test/integration/calls/actions-elsewhere.test.ts': 20,
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
