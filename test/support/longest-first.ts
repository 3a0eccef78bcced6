import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, in seconds of a whole run on two cores. Only their order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/slow/service/stored-recordings.test.ts': 194,
  'test/slow/crash/upload-kill.test.ts': 185,
  'test/slow/crash/call-kill.test.ts': 170,
  'test/slow/crash/dial-kill.test.ts': 145,
  'test/slow/crash/shared-calls.test.ts': 133,
  'test/slow/crash/recording-takeover.test.ts': 109,
  'test/slow/service/demonstration.test.ts': 98,
  'test/slow/service/documented-tour.test.ts': 95,
  'test/slow/service/two-commands.test.ts': 93,
  'test/slow/crash/webhook-kill.test.ts': 76,
  'test/slow/crash/schedule-kill.test.ts': 64,
  'test/slow/service/ends-in-mid-sentence.test.ts': 46,
  'test/slow/crash/originator-failpoints.test.ts': 41,
  'test/slow/crash/database-crash.test.ts': 30,
  'test/slow/crash/transfer-kill.test.ts': 23,
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
