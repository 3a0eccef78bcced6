import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readWaveform } from './waveform.js';

/* The entry point of the thread that computes waveforms of recordings for `Recordings`. */
answerQuestions(readWaveform);
