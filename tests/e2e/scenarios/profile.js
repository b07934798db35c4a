// SPDX-License-Identifier: AGPL-3.0-or-later
// One's own account.
import assert from 'node:assert/strict';
import { has, ids, refused } from '../support/check.js';
import { pngFile } from '../support/png.js';
import { client, get, person, post, server, stranger } from '../support/stage.js';

export default {
  'the profile is edited, with an avatar and a header': async () => {
    const alice = await person('pro_alice');
    const edited = await alice.api.v1.accounts.updateCredentials({
      displayName: 'Alice :) & co',
      note: 'I write #here, see https://example.org',
      avatar: pngFile(300, 300),
      header: pngFile(900, 300),
      bot: true,
      discoverable: true,
      fieldsAttributes: [{ name: 'Home', value: 'https://example.org/me' }, { name: 'Pronouns', value: 'she' }],
      source: { privacy: 'unlisted', sensitive: true, language: 'de' },
    });
    assert.equal(edited.displayName, 'Alice :) & co');
    assert.match(edited.note, /^<p>I write <a/);
    assert.equal(edited.source.note, 'I write #here, see https://example.org');
    assert.deepEqual([edited.bot, edited.discoverable], [true, true]);
    assert.deepEqual(edited.source.fields.map((f) => [f.name, f.value]), [['Home', 'https://example.org/me'], ['Pronouns', 'she']]);
    assert.deepEqual([edited.source.privacy, edited.source.sensitive, edited.source.language], ['unlisted', true, 'de']);

    const seen = await stranger.v1.accounts.$select(alice.id).fetch();
    for (const key of ['avatar', 'avatarStatic', 'header', 'headerStatic']) {
      assert.doesNotMatch(seen[key], /missing/, key);
      const file = await fetch(seen[key]);
      assert.equal(file.status, 200, seen[key]);
      assert.match(file.headers.get('content-type'), /^image\//);
    }
    assert.equal(seen.source, undefined, 'the source is for oneself');

    const preferences = await (await get('/api/v1/preferences', alice.token)).json();
    assert.equal(preferences['posting:default:visibility'], 'unlisted');
    assert.equal(preferences['posting:default:sensitive'], true);
    assert.equal(preferences['posting:default:language'], 'de');
    for (const key of ['posting:default:quote_policy', 'reading:expand:media', 'reading:expand:spoilers'])
      assert.ok(key in preferences, key);
    const { visibility, language, sensitive } = await post(alice, 'with the defaults');
    assert.deepEqual({ visibility, language, sensitive }, { visibility: 'unlisted', language: 'de', sensitive: true });
    await refused(422, alice.api.v1.accounts.updateCredentials({ avatar: new Blob(['no picture'], { type: 'image/png' }) }));
  },

  'accounts are found by name, by id and by search': async () => {
    const alice = await person('Fnd_Alice');
    const bob = await person('fnd_bob');
    assert.equal((await stranger.v1.accounts.lookup({ acct: 'fnd_alice' })).username, 'Fnd_Alice');
    assert.equal((await stranger.v1.accounts.lookup({ acct: `Fnd_Alice@${server.host}` })).id, alice.id);
    await refused(404, stranger.v1.accounts.lookup({ acct: 'nobody' }), 'Record not found');
    assert.deepEqual(ids(await stranger.v1.accounts.fetch({ id: [bob.id, alice.id] })).sort(), [alice.id, bob.id].sort());
    has(await bob.api.v1.accounts.search.list({ q: 'fnd_al' }), alice.id, 'the search for a beginning');
    has(await bob.api.v1.accounts.search.list({ q: '@fnd_alice' }), alice.id, 'the search for a handle');
  },

  'markers remember where one was reading': async () => {
    const alice = await person('mrk_alice');
    assert.deepEqual(await alice.api.v1.markers.fetch({ timeline: ['home', 'notifications'] }), {});
    const first = await alice.api.v1.markers.create({ home: { lastReadId: '100' } });
    assert.equal(first.home.lastReadId, '100');
    const second = await alice.api.v1.markers.create({ home: { lastReadId: '90' }, notifications: { lastReadId: '7' } });
    assert.equal(second.home.version, first.home.version + 1);
    const { home, notifications } = await alice.api.v1.markers.fetch({ timeline: ['home', 'notifications'] });
    assert.deepEqual([home.lastReadId, notifications.lastReadId], ['90', '7']);
    assert.match(home.updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  },

  'media are their owner\'s until posted': async () => {
    const alice = await person('med_alice');
    const bob = await person('med_bob');
    const { id } = await alice.api.v1.media.create({ file: pngFile(64, 64) });
    assert.equal((await alice.api.v1.media.$select(id).update({ description: 'a square' })).description, 'a square');
    await refused(404, bob.api.v1.media.$select(id).fetch());
    await refused(422, post(bob, 'not mine', { mediaIds: [id] }));
    await refused(422, alice.api.v1.media.create({ file: new Blob(['text'], { type: 'image/png' }) }));
    const { mediaAttachments } = await post(alice, '', { mediaIds: [id] });
    assert.equal(mediaAttachments[0].description, 'a square');
    await refused(422, post(alice, 'again', { mediaIds: [id] }));
    const spare = await client(alice.token).v1.media.create({ file: pngFile(8, 8) });
    await alice.api.v1.media.$select(spare.id).remove();
    await refused(404, alice.api.v1.media.$select(spare.id).fetch());
  },
};
