import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readWaveform } from './waveform.js';

/* Thread that reads recordings and returns their waveform. */
answerQuestions(readWaveform);
