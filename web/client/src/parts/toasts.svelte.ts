// SPDX-License-Identifier: AGPL-3.0-or-later
// Short sentences at the foot of the page: what has happened, what was refused, and a way to undo it.
import { ApiError } from '../base/api';
import { t } from '../base/text';

export interface Toast { id: number; text: string; bad: boolean; action?: { label: string; act: () => void } }

let next = 1;
export const toasts = $state<Toast[]>([]);

export function drop(id: number): void {
  const at = toasts.findIndex((one) => one.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

export function say(text: string, more: { action?: Toast['action']; bad?: boolean; seconds?: number } = {}): number {
  const id = next++;
  toasts.push({ id, text, bad: more.bad ?? false, ...(more.action && { action: more.action }) });
  while (toasts.length > 3) toasts.shift();
  setTimeout(() => drop(id), (more.seconds ?? (more.bad ? 9 : 5)) * 1000);
  return id;
}

// What went wrong, in a sentence that says what to do.
export function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return t.no_connection;
  if (error.status === 429) return t.too_many(error.retryAfter ?? 60);
  if (error.status >= 500) return t.server_trouble;
  return error.message;
}

export function complain(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 401)) say(sentence(error), { bad: true });
}

// Runs something and says why when it is refused.
export async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    complain(error);
    return undefined;
  }
}
