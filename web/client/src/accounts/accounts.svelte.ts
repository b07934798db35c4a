// SPDX-License-Identifier: AGPL-3.0-or-later
// Every account the client knows, once, and how the reader stands to it.
import { untrack } from 'svelte';
import { get, post, query } from '../base/api';
import type { Account, Relationship } from '../base/entities';

const accounts = new Map<string, Account>();

// Nearly half of a timeline is the same accounts again: kept once.
export function putAccount(account: Account): Account {
  const known = accounts.get(account.id);
  if (known) return Object.assign(known, account);
  accounts.set(account.id, account);
  return account;
}
export const account = (id: string): Account | undefined => accounts.get(id);
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
export function wantRelation(id: string): void {
  if (relations.has(id) || asked.has(id)) return;
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

export type Act = 'follow' | 'unfollow' | 'mute' | 'unmute' | 'block' | 'unblock' | 'remove_from_followers' | 'endorse' | 'unendorse' | 'note';

export async function relate(id: string, act: Act, body?: object): Promise<Relationship> {
  const before = relation(id);
  if (before && act === 'follow' && !body) putRelation({ ...before, following: true });
  if (before && act === 'unfollow') putRelation({ ...before, following: false, requested: false });
  try {
    const now = await post<Relationship>(`/api/v1/accounts/${id}/${act}`, body ?? {});
    putRelation(now);
    return now;
  } catch (error) {
    if (before) putRelation(before);
    throw error;
  }
}

export async function lookUp(acct: string): Promise<Account> {
  for (const one of accounts.values()) if (one.acct === acct && one.note !== undefined) return one;
  return putAccount(await get<Account>('/api/v1/accounts/lookup?' + query({ acct })));
}
