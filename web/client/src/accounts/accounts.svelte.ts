// SPDX-License-Identifier: AGPL-3.0-or-later
// Every account the client knows, once, and how the reader stands to it.
import { untrack } from 'svelte';
import { get, post, query } from '../base/api';
import type { Account, Relationship } from '../base/entities';
import { site } from '../base/site.svelte';

class Known {
  value = $state.raw<Account>(undefined as unknown as Account);
}
const accounts = new Map<string, Known>();

const same = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

// Nearly half of a timeline is the same accounts again: kept once, and changed where something of it is new.
export function putAccount(account: Account): Account {
  let box = accounts.get(account.id);
  if (!box) accounts.set(account.id, (box = new Known()));
  const known = box.value as Account | undefined;
  if (!known) box.value = account;
  else if (!Object.entries(account).every(([name, value]) => same(known[name as keyof Account], value))) box.value = { ...known, ...account };
  return box.value;
}
export const account = (id: string): Account | undefined => accounts.get(id)?.value;
// What is known by now of somebody whom a post or a page has told of.
export const latest = (one: Account): Account => account(one.id) ?? one;
export const nameOf = (one: Account): string => one.display_name || one.username;
export const profileOf = (one: { acct: string }): string => '/@' + one.acct;

class Box {
  value = $state.raw<Relationship>(undefined as unknown as Relationship);
}
const relations = new Map<string, Box>();
let arrivals = $state(0); // whoever looked for a relation that was not known looks again
let asked = new Set<string>();

export function putRelation(relation: Relationship): void {
  let box = relations.get(relation.id);
  if (!box) {
    relations.set(relation.id, (box = new Box()));
    untrack(() => arrivals++);
  }
  box.value = relation;
}
export function relation(id: string): Relationship | undefined {
  const box = relations.get(id);
  if (!box) void arrivals;
  return box?.value;
}

// Asks for all that are wanted in the same moment at once.
export function wantRelation(id: string, anew = false): void {
  if ((relations.has(id) && !anew) || asked.has(id)) return;
  if (asked.size === 0)
    setTimeout(() => {
      const ids = [...asked];
      asked = new Set();
      for (let n = 0; n < ids.length; n += 40)
        void get<Relationship[]>('/api/v1/accounts/relationships?' + query({ id: ids.slice(n, n + 40), with_suspended: true }))
          .then((found) => found.forEach(putRelation))
          .catch(() => undefined);
    }, 20);
  asked.add(id);
}

// Whoever is muted or blocked is seen no more, in what is shown already, too.
const silencedListeners = new Set<(id: string) => void>();
export const whenSilenced = (listener: (id: string) => void): (() => void) => (silencedListeners.add(listener), () => silencedListeners.delete(listener));

// After these somebody has more followers, or fewer.
const counted = new Set<Act>(['follow', 'unfollow', 'block', 'unblock', 'remove_from_followers']);
const fetchAccount = async (id: string): Promise<Account> => putAccount(await get<Account>('/api/v1/accounts/' + id));

// Requests to follow the reader that have been answered here, until the same person asks anew.
export type Answer = 'authorize' | 'reject';
const answers = $state<Record<string, Answer>>({});
export const answerTo = (id: string): Answer | undefined => answers[id];
export const asksAnew = (id: string): void => void delete answers[id];
export async function answerRequest(id: string, answer: Answer): Promise<void> {
  putRelation(await post<Relationship>(`/api/v1/follow_requests/${id}/${answer}`));
  if (!answers[id]) site.requests = Math.max(0, site.requests - 1);
  answers[id] = answer;
}

export type Act = 'follow' | 'unfollow' | 'mute' | 'unmute' | 'block' | 'unblock' | 'remove_from_followers' | 'endorse' | 'unendorse' | 'note';

export async function relate(id: string, act: Act, body?: object): Promise<Relationship> {
  const before = relation(id);
  if (before && act === 'follow' && !body) putRelation({ ...before, following: true });
  if (before && act === 'unfollow') putRelation({ ...before, following: false, requested: false });
  try {
    const now = await post<Relationship>(`/api/v1/accounts/${id}/${act}`, body ?? {});
    putRelation(now);
    if (act === 'mute' || act === 'block') for (const listener of silencedListeners) listener(id);
    if (counted.has(act)) void fetchAccount(id).catch(() => undefined);
    return now;
  } catch (error) {
    if (before) putRelation(before);
    throw error;
  }
}

// Who is known is shown at once, and asked for anew beside it.
export async function lookUp(acct: string): Promise<Account> {
  const asked = get<Account>('/api/v1/accounts/lookup?' + query({ acct })).then(putAccount);
  for (const { value } of accounts.values()) if (value.acct === acct && value.note !== undefined) return asked.catch(() => undefined), value;
  return asked;
}
