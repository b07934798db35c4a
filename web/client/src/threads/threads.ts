// SPDX-License-Identifier: AGPL-3.0-or-later
// Threads that were looked at lately, so that going back to one is at once and in place.
import type { Status } from '../base/entities';

export interface Thread { above: Status[]; below: Status[]; folded: ReadonlySet<string> }

const threads = new Map<string, Thread>();
const most = 30;

export const knownThread = (id: string): Thread | undefined => threads.get(id);
export function keepThread(id: string, thread: Thread): void {
  threads.delete(id);
  threads.set(id, thread);
  if (threads.size > most) threads.delete(threads.keys().next().value!);
}
