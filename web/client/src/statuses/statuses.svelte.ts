// SPDX-License-Identifier: AGPL-3.0-or-later
// Every post the client knows, once. Feeds hold ids; whatever learns more of a post puts it here, and all places that show
// it follow, in this tab and in the others.
import { untrack } from 'svelte';
import { putAccount } from '../accounts/accounts.svelte';
import { del, get, post } from '../base/api';
import type { Poll, Status } from '../base/entities';
import { prefs } from '../base/prefs.svelte';
import { start } from '../base/start';

class Box {
  value = $state.raw<Status>(undefined as unknown as Status);
  gone = $state(false);
  open = $state<boolean>(); // the reader has opened its warning
  media = $state<boolean>();
  translation = $state.raw<{ content: string; provider: string; from: string }>();
}
const boxes = new Map<string, Box>();
let arrivals = $state(0); // whoever looked for a post that was not known looks again
const most = 5000;
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('dunlin-posts');
const goneListeners = new Set<(id: string) => void>();
const keepers = new Set<() => Iterable<string>>();

// Feeds say which posts they hold; all others are forgotten when there are too many.
export const keepIds = (ids: () => Iterable<string>): void => void keepers.add(ids);
function forget(): void {
  const held = new Set<string>();
  for (const ids of keepers) for (const id of ids()) held.add(id);
  for (const [id, one] of boxes) if (!held.has(id)) held.has(one.value.reblog?.id ?? id) || boxes.delete(id);
}

export function putStatus(status: Status): string {
  if (status.reblog) {
    putStatus(status.reblog);
    status.reblog = boxes.get(status.reblog.id)!.value;
  }
  const quoted = status.quote?.quoted_status;
  if (quoted) putStatus(quoted);
  status.account = putAccount(status.account);
  let box = boxes.get(status.id);
  if (!box) {
    if (boxes.size > most) forget();
    boxes.set(status.id, (box = new Box()));
    untrack(() => arrivals++);
  }
  // What comes by streaming does not say what the reader has done.
  const { favourited, reblogged, bookmarked, pinned, muted } = box.value ?? {};
  box.gone = false;
  box.value = { ...(box.value && { favourited, reblogged, bookmarked, pinned, muted }), ...status } as Status;
  return status.id;
}

const countReply = (to: string | null, by: 1 | -1): void => {
  const box = to ? boxes.get(to) : undefined;
  if (box) box.value = { ...box.value, replies_count: Math.max(0, box.value.replies_count + by) };
};
// What has just been written counts with the post it answers.
export function landed(one: Status): string {
  if (!boxes.has(one.id)) countReply(one.in_reply_to_id, 1);
  return putStatus(one);
}

export function status(id: string): Status | undefined {
  const box = boxes.get(id);
  if (!box) void arrivals;
  return box?.value;
}
export const boxOf = (id: string): Box | undefined => boxes.get(id);

// What the reader has opened or closed, else what they want of all posts.
export const isOpen = (post: Status): boolean => !post.spoiler_text || (boxOf(post.id)?.open ?? prefs.openWarnings);
export const showsMedia = (post: Status, blurred = false): boolean => boxOf(post.id)?.media ?? (!blurred && (prefs.media === 'show_all' || (prefs.media === 'default' && !post.sensitive)));
export const subject = (one: Status): Status => (one.reblog ? (status(one.reblog.id) ?? one.reblog) : one);

// A boost goes with the post.
export const isGone = (one: Status): boolean => [one.id, one.reblog?.id].some((id) => !!id && !!boxes.get(id)?.gone);
export const whenGone = (listener: (id: string) => void): (() => void) => (goneListeners.add(listener), () => goneListeners.delete(listener));
// It has been deleted, whoever notices that first.
export function gone(id: string): void {
  const box = boxes.get(id);
  if (box && !box.gone) {
    box.gone = true;
    countReply(box.value.in_reply_to_id, -1);
  }
  for (const listener of goneListeners) listener(id);
}
// A refused answer is a post of its own from then on: threads drop it, timelines keep it.
const detachedListeners = new Set<(id: string) => void>();
export const whenDetached = (listener: (id: string) => void): (() => void) => (detachedListeners.add(listener), () => detachedListeners.delete(listener));
export function detached(id: string): void {
  for (const listener of detachedListeners) listener(id);
}
if (tabs)
  tabs.onmessage = ({ data }: MessageEvent<{ by: string; put?: Status; gone?: string }>) => {
    if (data.by !== start.me.id) return; // a tab of another account: what one likes is not what the other likes
    if (data.put && boxes.has(data.put.id)) putStatus(data.put);
    if (data.gone) gone(data.gone);
  };

const counts = { favourite: ['favourited', 'favourites_count'], reblog: ['reblogged', 'reblogs_count'], bookmark: ['bookmarked', null], pin: ['pinned', null], mute: ['muted', null] } as const;
export type Toggle = keyof typeof counts;

// Shown at once, and taken back when the server refuses.
export async function toggle(id: string, action: Toggle): Promise<boolean> {
  const box = boxes.get(id)!;
  const before = box.value;
  const [flag, count] = counts[action];
  const on = !before[flag];
  box.value = { ...before, [flag]: on, ...(count && { [count]: Math.max(0, before[count] + (on ? 1 : -1)) }) };
  try {
    const answer = await post<Status>(`/api/v1/statuses/${id}/${on ? '' : 'un'}${action}`);
    putStatus(answer);
    tabs?.postMessage({ by: start.me.id, put: answer.reblog ?? answer });
    return on;
  } catch (error) {
    box.value = { ...box.value, [flag]: before[flag], ...(count && { [count]: before[count] }) };
    throw error;
  }
}

export async function vote(id: string, poll: string, choices: number[]): Promise<void> {
  const box = boxes.get(id)!;
  box.value = { ...box.value, poll: await post<Poll>(`/api/v1/polls/${poll}/votes`, { choices }) };
}

export async function remove(id: string): Promise<Status> {
  const answer = await del<Status>('/api/v1/statuses/' + id);
  gone(id);
  tabs?.postMessage({ by: start.me.id, gone: id });
  return answer;
}

export async function fetchStatus(id: string): Promise<Status> {
  putStatus(await get<Status>('/api/v1/statuses/' + id));
  return status(id)!;
}

export async function translate(id: string, language: string): Promise<void> {
  const answer = await post<{ content: string; provider: string; detected_source_language: string }>(`/api/v1/statuses/${id}/translate`, { lang: language });
  boxes.get(id)!.translation = { content: answer.content, provider: answer.provider, from: answer.detected_source_language };
}

// The filter that hides or covers a post or its media in this place, if one does; of several the one that does most.
export function filteredIn(one: Status, context: string | undefined): { title: string; action: 'warn' | 'hide' | 'blur' } | undefined {
  if (!context) return undefined;
  const here = (one.filtered ?? []).map(({ filter }) => filter).filter((filter) => filter.context.includes(context));
  const filter = (['hide', 'warn', 'blur'] as const).map((action) => here.find((one) => one.filter_action === action)).find(Boolean);
  return filter && { title: filter.title, action: filter.filter_action };
}
