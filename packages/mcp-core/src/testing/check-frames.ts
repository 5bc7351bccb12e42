import { afterEach } from 'vitest';
import { expectSoundFrames } from './frame-watch.js';

/** Set up in every test file: a message that its revision does not allow fails the test in which it was sent. */
afterEach(expectSoundFrames);
