// SPDX-License-Identifier: AGPL-3.0-or-later
import { del, get, post, put } from '../base/api';
import type { CollectionEntity, WithAccounts } from '../base/entities';
import { start } from '../base/start';

export const collectionsOf = async (account: string): Promise<CollectionEntity[]> => (await get<{ collections: CollectionEntity[] }>(`/api/v1/accounts/${account}/collections?limit=40`)).collections;
export const mine = (): Promise<CollectionEntity[]> => collectionsOf(start.me.id);
export const fetchCollection = (id: string): Promise<WithAccounts> => get<WithAccounts>('/api/v1/collections/' + id);
export const make = async (name: string, description: string): Promise<CollectionEntity> => (await post<{ collection: CollectionEntity }>('/api/v1/collections', { name, description, discoverable: true, sensitive: false })).collection;
export const change = (id: string, body: object): Promise<unknown> => put('/api/v1/collections/' + id, body);
export const remove = (id: string): Promise<unknown> => del('/api/v1/collections/' + id);
export const add = (id: string, account: string): Promise<unknown> => post(`/api/v1/collections/${id}/items`, { account_id: account });
export const takeOut = (id: string, item: string): Promise<unknown> => del(`/api/v1/collections/${id}/items/${item}`);
export const leave = (id: string, item: string): Promise<unknown> => post(`/api/v1/collections/${id}/items/${item}/revoke`);
