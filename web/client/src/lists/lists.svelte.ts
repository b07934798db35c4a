// SPDX-License-Identifier: AGPL-3.0-or-later
import { del, get, post, put } from '../base/api';
import type { List } from '../base/entities';

export const lists = $state<{ all: List[] | null }>({ all: null });

export async function loadLists(): Promise<List[]> {
  lists.all = await get<List[]>('/api/v1/lists');
  return lists.all;
}
export async function saveList(list: Partial<List> & { title: string }): Promise<List> {
  const body = { title: list.title, replies_policy: list.replies_policy ?? 'list', exclusive: list.exclusive ?? false };
  const saved = list.id ? await put<List>('/api/v1/lists/' + list.id, body) : await post<List>('/api/v1/lists', body);
  await loadLists();
  return saved;
}
export async function removeList(id: string): Promise<void> {
  await del('/api/v1/lists/' + id);
  await loadLists();
}
export const addTo = (list: string, accounts: string[]): Promise<unknown> => post(`/api/v1/lists/${list}/accounts`, { account_ids: accounts });
export const takeFrom = (list: string, accounts: string[]): Promise<unknown> => del(`/api/v1/lists/${list}/accounts`, { account_ids: accounts });
