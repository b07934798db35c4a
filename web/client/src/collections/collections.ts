// SPDX-License-Identifier: AGPL-3.0-or-later
import { del, get, post, put } from '../base/api';
import type { Account, CollectionEntity, WithAccounts } from '../base/entities';
import { feedOf, type Feed } from '../base/feed.svelte';
import { start } from '../base/start';

export const collectionsOf = async (account: string): Promise<CollectionEntity[]> => (await get<{ collections: CollectionEntity[] }>(`/api/v1/accounts/${account}/collections?limit=40`)).collections;

// What others recommend here, newest first, and whose it is.
interface Found { collections: CollectionEntity[]; accounts: Account[] }
const known = new Map<string, { collection: CollectionEntity; by: string }>();
export const foundCollection = (id: string): { collection: CollectionEntity; by: string } | undefined => known.get(id);
const take = (pages: Found[]): string[] => pages.flatMap(({ collections, accounts }) => {
  const owners = new Map(accounts.map((one) => [one.id, one.acct]));
  return collections.map((collection) => {
    known.set(collection.id, { collection, by: owners.get(collection.account_id) ?? '' });
    return collection.id;
  });
});
export const collectionsToFind = (): Feed => feedOf<Found>({ path: '/api/dunlin/v1/collections', take });

export const mine = (): Promise<CollectionEntity[]> => collectionsOf(start.me.id);
export const fetchCollection = (id: string): Promise<WithAccounts> => get<WithAccounts>('/api/v1/collections/' + id);
export const make = async (name: string, description: string): Promise<CollectionEntity> => (await post<{ collection: CollectionEntity }>('/api/v1/collections', { name, description, discoverable: true, sensitive: false })).collection;
export const change = (id: string, body: object): Promise<unknown> => put('/api/v1/collections/' + id, body);
export const remove = (id: string): Promise<unknown> => del('/api/v1/collections/' + id);
export const add = (id: string, account: string): Promise<unknown> => post(`/api/v1/collections/${id}/items`, { account_id: account });
export const takeOut = (id: string, item: string): Promise<unknown> => del(`/api/v1/collections/${id}/items/${item}`);
export const leave = (id: string, item: string): Promise<unknown> => post(`/api/v1/collections/${id}/items/${item}/revoke`);
