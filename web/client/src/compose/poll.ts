// SPDX-License-Identifier: AGPL-3.0-or-later
// A poll that is being written, and how long it runs.
import type { Status } from '../base/entities';
import { start } from '../base/start';

// `ends`: it is asked already, and 0 seconds leave its end where it is.
export interface PollDraft { options: string[]; seconds: number; multiple: boolean; hideTotals: boolean; ends?: string }
export const pollTimes = [300, 1800, 3600, 21600, 86400, 259200, 604800] as const;

// The server says how many chose what, except where the totals are hidden until the end.
const said = ({ options, multiple }: NonNullable<Status['poll']>): Omit<PollDraft, 'seconds'> => ({ options: options.map((one) => one.title), multiple, hideTotals: options.some((one) => one.votes_count === null) });

export function pollAsked({ poll }: Status): PollDraft | null {
  if (!poll) return null;
  return { ...said(poll), ...(poll.expires_at ? { seconds: 0, ends: poll.expires_at } : { seconds: 86400 }) };
}

// To be asked once more, for about as long as before.
export function pollAgain({ poll, created_at }: Status): PollDraft | null {
  if (!poll) return null;
  const ran = poll.expires_at ? (Date.parse(poll.expires_at) - Date.parse(created_at)) / 1000 : 86400;
  const off = (seconds: number): number => Math.abs(Math.log(seconds / Math.max(1, ran)));
  return { ...said(poll), seconds: pollTimes.reduce((best, one) => (off(one) < off(best) ? one : best)) };
}

// As the API wants it: how long from now.
export function pollBody({ options, seconds, multiple, hideTotals, ends }: PollDraft): object {
  const soonest = start.instance.configuration?.polls?.min_expiration ?? 300;
  const left = ends ? Math.max(soonest, Math.round((Date.parse(ends) - Date.now()) / 1000)) : 86400;
  return { options: options.filter((one) => one.trim()), expires_in: seconds || left, multiple, hide_totals: hideTotals };
}
