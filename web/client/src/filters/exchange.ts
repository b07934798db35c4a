// SPDX-License-Identifier: AGPL-3.0-or-later
// Filters as a file, to take along or to share: what they catch, where, and what happens then. Single posts and ends stay here.
import type { WholeFilter } from '../base/entities';
import { contexts, type FilterDraft } from './filters.svelte';

export const most = 100;

export const written = (all: readonly WholeFilter[]): string =>
  JSON.stringify({ filters: all.map(({ title, context, filter_action, keywords }) => ({ title, context, filter_action, keywords: keywords.map(({ keyword, whole_word }) => ({ keyword, whole_word })) })) }, null, 2);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

// What of a file can be taken; null: it is none of ours. Whoever wrote it may be anybody.
export function read(text: string): FilterDraft[] | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(file) || !Array.isArray(file['filters'])) return null;
  return file['filters'].filter(isObject).slice(0, most).flatMap((one): FilterDraft[] => {
    const keywords = (Array.isArray(one['keywords']) ? one['keywords'] : []).filter(isObject).flatMap(({ keyword, whole_word }) => (typeof keyword === 'string' && keyword.trim() ? [{ keyword, whole_word: whole_word === true }] : []));
    const context = contexts.filter((name) => Array.isArray(one['context']) && one['context'].includes(name));
    const action = ['warn', 'hide', 'blur'].find((name) => name === one['filter_action']);
    if (!keywords.length || !context.length || !action) return [];
    return [{ title: typeof one['title'] === 'string' ? one['title'] : '', context, filter_action: action, expires_in: null, keywords }];
  });
}
