// SPDX-License-Identifier: AGPL-3.0-or-later
// Posting, what posts look like, and what others do with them.
import assert from 'node:assert/strict';
import { has, ids, lacks, refused, until } from '../support/check.js';
import { pngFile } from '../support/png.js';
import { account, get, home, notifications, person, post, status, stranger } from '../support/stage.js';

const counts = async (who, id) => {
  const { favouritesCount, reblogsCount, repliesCount } = await status(who, id).fetch();
  return { favouritesCount, reblogsCount, repliesCount };
};

export default {
  'a post with an image, a reply and a content warning, read in every timeline': async () => {
    const alice = await person('alice');
    const bob = await person('bob');
    await account(bob, alice).follow();

    const media = await alice.api.v2.media.create({ file: pngFile(640, 480), description: 'red to blue', focus: '0.5,-0.5' });
    assert.equal(media.type, 'image');
    assert.equal(media.description, 'red to blue');
    assert.ok(media.blurhash, 'it has a blurhash');
    const { original, small, focus } = media.meta;
    assert.deepEqual([original.width, original.height, original.size], [640, 480, '640x480']);
    assert.ok(small.width <= 640 && small.height <= 480, 'a smaller preview');
    assert.deepEqual(focus, { x: 0.5, y: -0.5 });
    for (const url of [media.url, media.previewUrl]) {
      const file = await fetch(url);
      assert.equal(file.status, 200, url);
      assert.match(file.headers.get('content-type'), /^image\//, url);
      assert.ok((await file.arrayBuffer()).byteLength > 100, url);
    }

    const picture = await post(alice, 'Look: #Sunrise over https://example.org/a/long/path?x=1', { mediaIds: [media.id], language: 'en' });
    assert.deepEqual(ids(picture.mediaAttachments), [media.id]);
    assert.match(picture.content, /^<p>Look: <a .*Sunrise.*<\/p>$/);
    assert.deepEqual(picture.tags.map((t) => t.name.toLowerCase()), ['sunrise']);
    assert.match(picture.url, /^http:\/\/localhost:\d+\/@alice\/\d+$/);

    const reply = await post(bob, '@alice lovely <b>indeed</b>', { inReplyToId: picture.id });
    assert.equal(reply.inReplyToId, picture.id);
    assert.equal(reply.inReplyToAccountId, alice.id);
    assert.deepEqual(reply.mentions.map((m) => m.acct), ['alice']);
    assert.match(reply.content, /class="h-card".*lovely &lt;b&gt;indeed&lt;\/b&gt;/);

    const warned = await post(alice, 'the butler', { spoilerText: 'who did it' });
    assert.equal(warned.spoilerText, 'who did it');
    assert.equal(warned.sensitive, true);

    has(await home(bob), picture.id, "bob's home");
    has(await home(bob), warned.id, "bob's home");
    has(await home(bob), reply.id, "bob's own home");
    has(await home(alice), picture.id, "alice's own home");
    lacks(await home(alice), reply.id, 'the home of somebody who does not follow bob');

    const open = await stranger.v1.timelines.public.list({ limit: 40 });
    has(open, picture.id, 'public');
    has(open, warned.id, 'public');
    lacks(open, reply.id, 'public, which has no replies to others,');
    has(await stranger.v1.timelines.tag.$select('SUNRISE').list(), picture.id, 'the tag timeline');

    const thread = await stranger.v1.statuses.$select(picture.id).context.fetch();
    assert.deepEqual(ids(thread.descendants), [reply.id]);
    assert.deepEqual(ids((await stranger.v1.statuses.$select(reply.id).context.fetch()).ancestors), [picture.id]);
    assert.equal((await status(alice, picture.id).fetch()).repliesCount, 1);

    const mention = await until("alice's notification of the mention", async () => (await notifications(alice, 'mention'))[0]);
    assert.equal(mention.status.id, reply.id);
    assert.equal(mention.account.acct, 'bob');
    const follow = await until("alice's notification of the follow", async () => (await notifications(alice, 'follow'))[0]);
    assert.equal(follow.account.id, bob.id);
  },

  'favourite, reblog and bookmark, and taking each back': async () => {
    const alice = await person('fav_alice');
    const bob = await person('fav_bob');
    const carol = await person('fav_carol');
    await account(carol, bob).follow();
    const { id } = await post(alice, 'like me');
    const mine = status(bob, id);

    const favoured = await mine.favourite();
    assert.deepEqual([favoured.favourited, favoured.favouritesCount], [true, 1]);
    const { reblog, ...wrapper } = await mine.reblog();
    assert.equal(reblog.id, id);
    assert.deepEqual([reblog.reblogged, reblog.reblogsCount], [true, 1]);
    assert.equal((await mine.bookmark()).bookmarked, true);
    has(await home(carol), wrapper.id, "the home of bob's follower");
    has(await bob.api.v1.favourites.list(), id, 'favourites');
    has(await bob.api.v1.bookmarks.list(), id, 'bookmarks');
    has(await status(alice, id).favouritedBy.list(), bob.id, 'favourited_by');
    has(await status(alice, id).rebloggedBy.list(), bob.id, 'reblogged_by');
    assert.deepEqual(await counts(alice, id), { favouritesCount: 1, reblogsCount: 1, repliesCount: 0 });
    assert.equal((await status(alice, id).fetch()).bookmarked, false, 'a bookmark is private');
    for (const type of ['favourite', 'reblog'])
      await until(`alice's notification of the ${type}`, async () => (await notifications(alice, type))[0]?.status.id === id);
    assert.equal((await mine.favourite()).favouritesCount, 1, 'twice is once');

    const cold = await mine.unfavourite();
    assert.deepEqual([cold.favourited, cold.favouritesCount], [false, 0]);
    const back = await mine.unreblog();
    assert.deepEqual([back.reblogged, back.reblogsCount], [false, 0]);
    assert.equal((await mine.unbookmark()).bookmarked, false);
    lacks(await home(carol), wrapper.id, "the home of bob's follower");
    lacks(await bob.api.v1.favourites.list(), id, 'favourites');
    lacks(await bob.api.v1.bookmarks.list(), id, 'bookmarks');
    assert.deepEqual(await counts(alice, id), { favouritesCount: 0, reblogsCount: 0, repliesCount: 0 });
    await refused(404, status(alice, wrapper.id).fetch());
  },

  'a deleted post is gone everywhere': async () => {
    const alice = await person('del_alice');
    const bob = await person('del_bob');
    await account(bob, alice).follow();
    const root = await post(alice, 'the root');
    const doomed = await post(alice, '@del_bob look at #doom', { inReplyToId: root.id });
    await status(bob, doomed.id).favourite();
    await status(bob, doomed.id).reblog();
    await until('the mention', async () => (await notifications(bob, 'mention'))[0]?.status.id === doomed.id);
    await until('the favourite', async () => (await notifications(alice, 'favourite'))[0]);
    assert.equal((await status(bob, root.id).fetch()).repliesCount, 1);
    assert.equal((await alice.account.fetch()).statusesCount, 2);
    assert.equal((await bob.account.fetch()).statusesCount, 1, 'a reblog counts');

    const draft = await status(alice, doomed.id).remove();
    assert.equal(draft.id, doomed.id);
    assert.equal(draft.text, '@del_bob look at #doom', 'the source, to write it anew');

    await refused(404, status(bob, doomed.id).fetch(), 'Not Found');
    for (const [what, list] of [
      ['home', await home(bob)],
      ["the author's home", await home(alice)],
      ['account statuses', await alice.account.statuses.list()],
      ['public', await stranger.v1.timelines.public.list({ limit: 40 })],
      ['tag', await stranger.v1.timelines.tag.$select('doom').list()],
      ['context', (await stranger.v1.statuses.$select(root.id).context.fetch()).descendants],
      ['favourites', await bob.api.v1.favourites.list()],
    ])
      lacks(list, doomed.id, what);
    assert.ok((await bob.account.statuses.list()).every((s) => s.reblog?.id !== doomed.id), 'its reblogs are gone');
    assert.equal((await status(bob, root.id).fetch()).repliesCount, 0);
    assert.equal((await alice.account.fetch()).statusesCount, 1);
    await until('the notifications of it are gone', async () =>
      (await notifications(bob, 'mention')).length === 0 && (await notifications(alice)).every((n) => n.status?.id !== doomed.id));
    await until("the reblogger's count", async () => (await bob.account.fetch()).statusesCount === 0);
    await refused(404, status(bob, root.id).remove());
    has(await alice.account.statuses.list(), root.id, 'what somebody else tried to delete: account statuses');
  },

  'an idempotency key makes one post of two requests': async () => {
    const alice = await person('idem_alice');
    const bob = await person('idem_bob');
    const once = (who, key) =>
      who.api.v1.statuses.create({ status: 'once only' }, { requestInit: { headers: new Headers({ 'Idempotency-Key': key }) } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => once(alice, 'k1')));
    answers.push(await once(alice, 'k1'));
    assert.equal(new Set(ids(answers)).size, 1, 'nine requests, one post');
    assert.notEqual((await once(alice, 'k2')).id, answers[0].id);
    assert.notEqual((await once(bob, 'k1')).id, answers[0].id, "a key is the account's own");
    assert.equal((await alice.account.fetch()).statusesCount, 2);
  },

  'a post can be read back as it was written': async () => {
    const alice = await person('src_alice');
    const { id, content } = await post(alice, 'Hello **world**\n\n:)', { contentType: 'text/markdown', spoilerText: 'cw' });
    assert.match(content, /<strong>world<\/strong>/);
    const source = await status(alice, id).source.fetch();
    assert.deepEqual(source, { id, text: 'Hello **world**\n\n:)', spoilerText: 'cw', contentType: 'text/markdown' });
  },

  'posts that cannot be are refused': async () => {
    const alice = await person('bad_alice');
    await refused(422, post(alice, ''), "Validation failed: Text can't be blank");
    await refused(422, post(alice, 'x', { mediaIds: ['1'] }));
    await refused(404, post(alice, 'x', { inReplyToId: '1' }), 'The post you are trying to reply to does not appear to exist.');
    await refused(422, post(alice, 'x', { visibility: 'nobody' }));
    const { configuration } = await stranger.v2.instance.fetch();
    const most = configuration.statuses.maxCharacters;
    await refused(422, post(alice, 'é'.repeat(most + 1)), `Validation failed: Text character limit of ${most} exceeded`);
    const link = `https://example.org/${'p'.repeat(100)}`;
    await post(alice, `${'é'.repeat(most - 24)} ${link}`); // a link counts 23
    assert.equal((await get('/api/v1/statuses/0')).status, 404);
    assert.equal((await get('/api/v1/statuses/nonsense')).status, 404);
  },
};
