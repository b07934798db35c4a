// SPDX-License-Identifier: AGPL-3.0-or-later
// What is said of a medium: its description, and what its thumbnail must show.
import { put } from '../base/api';
import type { MediaAttachment } from '../base/entities';

export interface About { id: string; description: string; focus?: string }

export const isDescribed = ({ description, meta }: MediaAttachment): boolean => !!description || !!meta?.focus;
export function about({ id, description, meta }: MediaAttachment): About {
  const spot = meta?.focus;
  return { id, description: description ?? '', ...(spot && { focus: `${spot.x.toFixed(2)},${spot.y.toFixed(2)}` }) };
}
export const tell = (media: readonly About[]): Promise<unknown> => Promise.all(media.map(({ id, ...said }) => put('/api/v1/media/' + id, said)));
