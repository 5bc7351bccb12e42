import { guestCalls } from './calls.js';
import { guestContent } from './content.js';
import { guestFetch } from './fetch.js';
import { guestGlobals } from './globals.js';
import { guestKit } from './kit.js';
import { type GuestParts, guestLibrary } from './library.js';
import { guestNotes } from './notes.js';
import { guestRounds } from './rounds.js';

export type { GuestHost } from './host.js';

/*
 * The part of the runner that lives inside the sandbox: it builds `ctx` and hands the end of the call to the host. The
 * functions of this folder are sent there as text before any tenant code, so each may use nothing but its arguments and
 * the language itself, and they are compiled for the engine there. A tenant can only ever break its own call with them:
 * everything that leaves them is text which the host judges again.
 */

const parts: GuestParts = {
  kit: guestKit,
  globals: guestGlobals,
  calls: guestCalls,
  fetch: guestFetch,
  content: guestContent,
  notes: guestNotes,
  rounds: guestRounds,
};

/** The text of a function that takes the host functions and gives the library's entry functions. */
export function guestSource(): string {
  const texts = Object.entries(parts).map(([name, part]) => `${name}: ${part}`);
  return `"use strict";((host) => (${guestLibrary})(host, {\n${texts.join(',\n')}\n}))`;
}
