import { answerQuestions } from '#kernel/system/compute-thread.js';
import { readWaveform } from './waveform.js';

/* The thread on which recordings are read through. It has nothing but what it is asked. */
answerQuestions(readWaveform);
