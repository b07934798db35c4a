// SPDX-License-Identifier: AGPL-3.0-or-later
import { del, get, post, put } from '../base/api';
import type { FilterKeyword, WholeFilter } from '../base/entities';

export interface KeywordDraft { id?: string; keyword: string; whole_word: boolean; _destroy?: boolean }
// `expires_in`: null is for good, and 'same' leaves the end where it is.
export interface FilterDraft { id?: string; title: string; context: string[]; filter_action: string; expires_in: number | 'same' | null; keywords: KeywordDraft[] }

export const filters = $state<{ all: WholeFilter[] | null }>({ all: null });
export const contexts = ['home', 'notifications', 'public', 'thread', 'account'] as const;

export async function loadFilters(): Promise<WholeFilter[]> {
  filters.all = await get<WholeFilter[]>('/api/v2/filters');
  return filters.all;
}
export async function saveFilter(draft: FilterDraft): Promise<WholeFilter> {
  // One that is known and has been emptied is taken away.
  const keywords = draft.keywords.filter((one) => one.id || one.keyword.trim()).map((one) => (one.keyword.trim() ? one : { ...one, _destroy: true }));
  const body = { title: draft.title.trim() || keywords.find((one) => !one._destroy)?.keyword || '…', context: draft.context, filter_action: draft.filter_action, ...(draft.expires_in !== 'same' && { expires_in: String(draft.expires_in ?? '') }), keywords_attributes: keywords };
  return draft.id ? put<WholeFilter>('/api/v2/filters/' + draft.id, body) : post<WholeFilter>('/api/v2/filters', body);
}
export async function removeFilter(id: string): Promise<void> {
  await del('/api/v2/filters/' + id);
  await loadFilters();
}
export const addPost = (filter: string, status: string): Promise<unknown> => post(`/api/v2/filters/${filter}/statuses`, { status_id: status });

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// Whether a text would be caught: words as a whole where they begin and end in letters or digits.
export function catches(keywords: readonly Pick<FilterKeyword, 'keyword' | 'whole_word'>[], text: string): boolean {
  return keywords.some(({ keyword, whole_word }) => {
    const word = keyword.trim();
    if (!word) return false;
    const front = whole_word && /^[\p{L}\p{N}_]/u.test(word) ? '(?<![\\p{L}\\p{N}_])' : '';
    const end = whole_word && /[\p{L}\p{N}_]$/u.test(word) ? '(?![\\p{L}\\p{N}_])' : '';
    return new RegExp(front + escaped(word) + end, 'iu').test(text);
  });
}
