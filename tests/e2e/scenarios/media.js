// SPDX-License-Identifier: AGPL-3.0-or-later
// Videos as an app uploads them: handed in, worked on, shown.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { File } from 'node:buffer';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/check.js';
import { get, person, post, server } from '../support/stage.js';

// Two seconds of a test picture and a tone.
async function film() {
  const folder = await mkdtemp(join(tmpdir(), 'dunlin-film-'));
  const path = join(folder, 'film.mp4');
  const sources = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=15:duration=2', '-f', 'lavfi', '-i', 'sine=duration=2'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...sources, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest', path]);
  const file = new File([await readFile(path)], 'film.mp4', { type: 'video/mp4' });
  await rm(folder, { recursive: true });
  return file;
}

export default {
  'a video is taken, worked on and shown with its length and a still': async () => {
    const rita = await person('rita');
    const form = new FormData();
    form.set('file', await film());
    form.set('description', 'bars and a tone');
    const taken = await fetch(`${server.url}/api/v2/media`, { method: 'POST', body: form, headers: { Authorization: `Bearer ${rita.token}` } });
    assert.ok([200, 202].includes(taken.status), `answered ${taken.status}`);
    const { id } = await taken.json();
    const media = await until('the video is ready', async () => {
      const answer = await get(`/api/v1/media/${id}`, rita.token);
      return answer.status === 200 && answer.json();
    }, 30);
    assert.equal(media.type, 'video');
    assert.equal(media.description, 'bars and a tone');
    assert.ok(Math.abs(media.meta.original.duration - 2) < 0.3, `lasts ${media.meta.original.duration} s`);
    assert.deepEqual([media.meta.original.width, media.meta.original.height], [320, 240]);
    assert.ok(media.blurhash, 'it has a blurhash');
    const still = await fetch(media.preview_url);
    assert.match(still.headers.get('content-type'), /^image\//);
    const part = await fetch(media.url, { headers: { Range: 'bytes=0-99' } });
    assert.equal(part.status, 206);
    assert.equal((await part.arrayBuffer()).byteLength, 100);
    const shown = await post(rita, 'a film', { mediaIds: [id] });
    assert.deepEqual(shown.mediaAttachments.map((m) => m.type), ['video']);
  },
};
