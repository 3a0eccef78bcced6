import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '#kernel/system/thread.js';
import { loadSpeakingDuty } from '#providers/builtin/flite/speaking-duty.js';
import { loadDictationDuty, loadHearingDuty } from '#providers/builtin/pocketsphinx/decoding/recogniser.js';
import type { Duty, Post, ThreadDuty, ToThread } from './protocol.js';

/**
 * The entry point of a speech thread, which computes for the built-in recogniser and voice. `SpeechWorker` starts it
 * with a duty: it loads the engine of the duty, then receives messages. Earlier messages wait in the port.
 *
 * This table has the loader of each duty.
 */
const DUTIES: Record<Duty, (post: Post) => Promise<ThreadDuty>> = {
  speaking: loadSpeakingDuty,
  hearing: loadHearingDuty,
  dictation: loadDictationDuty,
};

runInBackground();
const port = parentPort!;
const { duty } = workerData as { duty: Duty };
const running = await DUTIES[duty]((message, transfer = []) => port.postMessage(message, transfer));
port.on('message', (message: ToThread) => running.receive(message));
