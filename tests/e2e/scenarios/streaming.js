// SPDX-License-Identifier: AGPL-3.0-or-later
// Streams, as masto listens to them over a WebSocket, and raw as server-sent events.
import assert from 'node:assert/strict';
import WebSocket from 'ws';
import { until } from '../support/check.js';
import { account, get, person, post, server, status } from '../support/stage.js';
import { events, mastoOf, subscribed } from '../support/streams.js';

// What comes from a subscription, as it comes.
function ear(subscription) {
  const events = [];
  (async () => {
    for await (const event of subscription) events.push(event);
  })();
  return {
    events,
    hears: (what, test) => until(what, () => events.find(test) ?? false),
    names: () => events.map((e) => e.event),
  };
}

export default {
  'everything comes over one socket': async () => {
    const alice = await person('ws_alice');
    const bob = await person('ws_bob');
    await account(alice, bob).follow();
    const list = await alice.api.v1.lists.create({ title: 'L' });
    await alice.api.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.id] });
    const client = mastoOf(alice);
    try {
      const user = ear(client.user.subscribe());
      const notified = ear(client.user.notification.subscribe());
      const open = ear(client.public.subscribe());
      const local = ear(client.public.local.subscribe());
      const remote = ear(client.public.remote.subscribe());
      const tag = ear(client.hashtag.subscribe({ tag: 'cats' }));
      const listed = ear(client.list.subscribe({ list: list.id }));
      const direct = ear(client.direct.subscribe());
      await client.prepare();
      await subscribed(alice, 8);

      const made = await post(bob, 'hello #cats @ws_alice');
      for (const one of [user, open, local, tag, listed])
        await one.hears('an update', (e) => e.event === 'update' && e.payload.id === made.id);
      for (const one of [user, notified])
        await one.hears('a notification', (e) => e.event === 'notification' && e.payload.status.id === made.id);
      const shown = user.events.find((e) => e.event === 'update').payload;
      assert.deepEqual(shown, await status(alice, made.id).fetch());
      assert.deepEqual(remote.events, []);

      await status(bob, made.id).update({ status: 'changed #cats @ws_alice' });
      for (const one of [user, notified, open, local, tag, listed])
        await one.hears('an edit', (e) => e.event === 'status.update' && e.payload.content.includes('changed'));
      await status(bob, made.id).remove();
      for (const one of [user, open, local, tag, listed])
        await one.hears('a deletion', (e) => e.event === 'delete' && e.payload === made.id);

      await post(bob, '@ws_alice between us', { visibility: 'direct' });
      await direct.hears('a conversation', (e) => e.event === 'conversation' && e.payload.lastStatus.content.includes('between us'));
      assert.deepEqual(open.names(), ['update', 'status.update', 'delete']);
    } finally {
      client.close(); // or it would connect again for ever
    }
  },

  'a socket ends when an operator suspends its account': async () => {
    const alice = await person('ws_suspended');
    const socket = new WebSocket(`ws://${server.host}/api/v1/streaming?stream=user`, alice.token);
    const closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)));
    await new Promise((resolve) => socket.on('open', resolve));
    assert.equal(socket.protocol, alice.token);
    await server.command('account', 'suspend', 'ws_suspended');
    assert.equal(await closed, 1008);
  },

  // What nobody announces is noticed within five seconds: where once is too slow on a busy machine, a second time right after it
  // shows whether somebody does.
  'sockets and events end within a second when staff suspends their account': async () => {
    await server.command('account', 'create', 'ws_staff', '--email', 'ws_staff@example.org', '--confirmed', '--role', 'owner');
    const token = (await server.command('token', 'create', 'ws_staff', '--scopes', 'admin:write')).trim();
    // Milliseconds until both have ended.
    const suspended = async (name) => {
      const who = await person(name);
      const socket = new WebSocket(`ws://${server.host}/api/v1/streaming?stream=user`, who.token);
      const closed = new Promise((resolve) => socket.on('close', (code) => resolve([code, performance.now()])));
      await new Promise((resolve) => socket.on('open', resolve));
      const stream = await get('/api/v1/streaming/user', who.token);
      const ended = stream.text().then(() => performance.now());
      const began = performance.now();
      const answer = await fetch(`${server.url}/api/v1/admin/accounts/${who.id}/action`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'suspend' }),
      });
      assert.equal(answer.status, 200);
      const [code, at] = await closed;
      assert.equal(code, 1008);
      return Math.max(at, await ended) - began;
    };
    const took = await suspended('ws_suspended_by_staff');
    const again = took < 1000 ? took : await suspended('ws_suspended_again');
    assert.ok(again < 1000, `they ended after ${took} ms, and after ${again} ms`);
  },

  'a handshake without a good token is refused with the reason': async () => {
    const refused = await new Promise((resolve) =>
      new WebSocket(`ws://${server.host}/api/v1/streaming?access_token=nonsense`)
        .on('unexpected-response', (_, answer) => resolve(answer))
        .on('error', () => {}));
    assert.equal(refused.statusCode, 401);
    assert.equal(refused.headers['x-error-message'], 'Invalid access token');
    assert.equal((await get('/api/v1/streaming/user')).status, 401);
    assert.equal(await (await get('/api/v1/streaming/health')).text(), 'OK');
    assert.equal((await get('/api/v1/streaming')).status, 404);
  },

  'events come over plain HTTP': async () => {
    const alice = await person('sse_alice');
    const bob = await person('sse_bob');
    await account(alice, bob).follow();
    const user = events('/api/v1/streaming/user', alice.token);
    const open = events('/api/v1/streaming/public', alice.token);
    const media = events('/api/v1/streaming/public?only_media=true', alice.token);
    const tag = events('/api/v1/streaming/hashtag?tag=dogs', alice.token);
    await until('all are open', () => [user, open, media, tag].every((one) => one.text.startsWith(':)\n')));
    assert.equal(user.status, 200);
    assert.equal(user.headers['content-type'], 'text/event-stream');
    assert.equal(user.headers['cache-control'], 'private, no-store');
    assert.equal(user.headers['access-control-allow-origin'], '*');
    const made = await post(bob, 'over HTTP #dogs');
    await until('the event', () => [user, open, tag].every((one) => one.text.includes(`"id":"${made.id}"`)));
    const [, data] = /event: update\ndata: (.*)\n\n/.exec(user.text);
    assert.equal(JSON.parse(data).id, made.id);
    assert.equal(JSON.parse(data).favourited, false);
    assert.ok(!media.text.includes(made.id));
    for (const one of [user, open, media, tag]) one.hangUp();
    await until('nobody listens', async () => {
      const page = await (await fetch(`${server.url}/metrics`)).text();
      return page.includes('dunlin_event_streams_open 0') && page.includes('dunlin_websockets_open 0');
    });
  },
};
