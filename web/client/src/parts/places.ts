// SPDX-License-Identifier: AGPL-3.0-or-later
// Where somebody stood in a list, by entry of the history: back leads to the same row.
import type { Place } from '../base/feed.svelte';

const places = new Map<string, Place>();

export function rememberPlace(key: string, place: Place): void {
  places.delete(key);
  places.set(key, place);
  if (places.size > 200) places.delete(places.keys().next().value!);
}
// A list knows better where somebody stood than how far the page was scrolled.
export const listKnows = (entry: string): boolean => [...places.keys()].some((key) => key.startsWith(entry) && !key.endsWith('load'));
export const placeFor = (key: string): Place | null => places.get(key) ?? null;
