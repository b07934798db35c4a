// SPDX-License-Identifier: AGPL-3.0-or-later
// Files on their way to the server.
import { send } from '../base/api';
import type { MediaAttachment } from '../base/entities';
import { t } from '../base/text';
import { complain, say } from '../parts/toasts.svelte';
import type { Draft } from './draft.svelte';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function finished(media: MediaAttachment): Promise<MediaAttachment> {
  for (let wait = 500; ; wait = Math.min(5000, wait * 1.5)) {
    const answer = await send('GET', '/api/v1/media/' + media.id);
    const now = (await answer.json()) as MediaAttachment;
    if (answer.status !== 206) return now;
    await pause(wait);
  }
}

export async function upload(draft: Draft, files: readonly File[], most: number): Promise<void> {
  const taken = files.slice(0, Math.max(0, most - draft.media.length - draft.uploads));
  if (taken.length < files.length) say(t.most_media(most), { bad: true });
  draft.uploads += taken.length;
  for (const file of taken) {
    try {
      const form = new FormData();
      form.append('file', file, file.name || 'picture');
      const answer = await send('POST', '/api/v2/media', form);
      const media = (await answer.json()) as MediaAttachment;
      draft.media = [...draft.media, answer.status === 202 ? await finished(media) : media];
      draft.touch();
    } catch (error) {
      complain(error);
    } finally {
      draft.uploads--;
    }
  }
}
